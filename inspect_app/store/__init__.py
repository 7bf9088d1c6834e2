"""Persistence: tables, queries per noun, files. Turns rows into domain objects; imports only the domain."""
