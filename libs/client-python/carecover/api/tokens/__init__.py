"""tokens: one function per operation. Generated; do not edit."""

from .create_token import create_token as create_token
