import torch


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)
