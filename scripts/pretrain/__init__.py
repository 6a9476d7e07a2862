"""Masked-language-model pre-training of the small encoder that clwork ships.

``python -m scripts.pretrain`` runs it.
"""
