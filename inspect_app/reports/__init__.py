"""What leaves the product as a document or a package; made from what is recorded, and never written back."""
