"""Bad tokens, rates, vectors and generators for augmenters."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from clwork import augmenters
from clwork.checks import shown
from clwork.encoders import Tokens

from .table import Case, hold, refused, table, taken

NAN, INF = float("nan"), float("inf")
A: Any = augmenters
SENTENCE = Tokens([2, 7, 8, 9, 10, 3], [-1, 0, 1, 1, 2, -1])
WORDS = torch.randn(2, 5, 4, generator=torch.Generator().manual_seed(0))
MASK = torch.ones(2, 5)
Z = torch.randn(4, 6, generator=torch.Generator().manual_seed(1))


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


# Augmenters by how they are called with a generator: each refuses what is none.
DRAWS: dict[str, Callable[[Any], Any]] = {
    "delete_words": lambda g: A.delete_words(SENTENCE, 0.5, g),
    "delete_one_word": lambda g: A.delete_one_word(SENTENCE, g),
    "crop": lambda g: A.crop(SENTENCE, 0.5, g),
    "shuffle_tokens": lambda g: A.shuffle_tokens(SENTENCE, g),
    "cutoff": lambda g: A.cutoff(WORDS, MASK, "token", rate=0.5, generator=g),
    "Dropout": lambda g: A.Dropout(g),
    "perturb": lambda g: A.perturb(Z, "radial", generator=g),
    "pwva": lambda g: A.pwva(WORDS, MASK, generator=g),
    "gaussian_white_noise": lambda g: A.gaussian_white_noise(Z, generator=g),
    "random_zeros": lambda g: A.random_zeros(Z, generator=g),
    "background_noise": lambda g: A.background_noise(Z, generator=g),
    "gaussian_noise": lambda g: A.gaussian_noise((2, 3), generator=g),
    "noise_negatives": lambda g: A.noise_negatives(Z, Z, count=2, generator=g),
    "swap_word": lambda g: A.swap_word("A big dog.", generator=g),
}
OPTIONAL = (
    "pwva",
    "gaussian_white_noise",
    "random_zeros",
    "background_noise",
    "gaussian_noise",
    "noise_negatives",
    "swap_word",
)
RATES: dict[str, Callable[[Any], Any]] = {
    "delete_words": lambda rate: A.delete_words(SENTENCE, rate, seeded()),
    "crop": lambda rate: A.crop(SENTENCE, rate, seeded()),
    "cutoff": lambda rate: A.cutoff(WORDS, MASK, "span", rate=rate, generator=seeded()),
    "hidden": lambda rate: A.Dropout(seeded(), hidden=rate),
    "attention": lambda rate: A.Dropout(seeded(), attention=rate),
}


@pytest.mark.parametrize("name", DRAWS)
@pytest.mark.parametrize("bad", [3, "0", True, np.random.default_rng(0), torch.Generator])
def test_what_is_no_generator(name: str, bad: Any) -> None:
    case = refused(
        name,
        TypeError,
        r"generator=.*; give a torch.Generator, such as torch.Generator\(\)",
        lambda _: DRAWS[name](bad),
    )
    hold(case, Path())


@pytest.mark.parametrize("name", [name for name in DRAWS if name not in OPTIONAL])
def test_none_is_no_generator(name: str) -> None:
    """torch's hidden state would make every run another one."""
    hold(
        refused(name, TypeError, "generator=None is NoneType; give a torch.Generator", lambda _: DRAWS[name](None)),
        Path(),
    )


@pytest.mark.gpu
@pytest.mark.parametrize(
    "name", [name for name in DRAWS if name not in ("Dropout", "gaussian_noise", "noise_negatives")]
)
def test_a_generator_of_another_device(name: str) -> None:
    draw = torch.Generator("cuda")
    hold(
        refused(name, ValueError, "is on cuda, and has to be on cpu; make it with", lambda _: DRAWS[name](draw)), Path()
    )


@pytest.mark.parametrize("name", RATES)
@pytest.mark.parametrize("rate", [-0.1, 1.0, 1.5, NAN, INF, -INF, 10**400, 10**5000], ids=shown)
def test_rates_out_of_range(name: str, rate: Any) -> None:
    hold(
        refused(
            name,
            ValueError,
            "is not a .*; give a number from 0 to below 1|too large for a float",
            lambda _: RATES[name](rate),
        ),
        Path(),
    )


@pytest.mark.parametrize("name", RATES)
@pytest.mark.parametrize("rate", ["0.1", None, True, [0.1], torch.tensor(0.1), np.array(0.1)])
def test_rates_that_are_no_numbers(name: str, rate: Any) -> None:
    hold(refused(name, TypeError, "=.* is .*; give a plain number", lambda _: RATES[name](rate)), Path())


@pytest.mark.parametrize("name", RATES)
@pytest.mark.parametrize("rate", [0, 0.5, np.float64(0.5), np.float32(0.5), np.float16(0.5), np.int64(0)])
def test_rates_that_are_numbers(name: str, rate: Any) -> None:
    assert RATES[name](rate) is not None


def pwva(**more: Any) -> Callable[[Path], Any]:
    return lambda _: A.pwva(WORDS, MASK, **({"generator": seeded()} | more))


def noise(**more: Any) -> Callable[[Path], Any]:
    return lambda _: A.noise_negatives(Z, Z, **({"count": 2, "generator": seeded()} | more))


TEXTS = [
    refused(
        "tokens in a list",
        TypeError,
        r"tokens is list .*; give one of what encoder.tokenize returns",
        lambda _: A.delete_one_word([2, 7, 3], seeded()),
    ),
    refused("tokens that are a word", TypeError, "tokens is str", lambda _: A.crop("a dog", 0.1, seeded())),
    refused("tokens of none", TypeError, "tokens is NoneType", lambda _: A.shuffle_tokens(None, seeded())),
    refused(
        "tokens of two lengths",
        ValueError,
        "tokens has 3 ids and 2 words; each piece",
        lambda _: A.delete_words(Tokens([2, 7, 3], [-1, 0]), 0.1, seeded()),
    ),
    taken("no tokens", lambda _: A.delete_words(Tokens([], []), 0.5, seeded()) == []),
    refused("no sentence", TypeError, "sentence is None .NoneType.; it must be a str", lambda _: A.slots(None)),
    refused("a sentence that is a number", TypeError, "sentence is 5 .int.", lambda _: A.swap_word(5)),
    refused("sentences in a list", TypeError, r"sentence is \['a'\] .list.", lambda _: A.slots(["a"])),
    refused(
        "an unknown part",
        ValueError,
        "parts='JJ' is not known; give one of 'any', 'noun'",
        lambda _: A.slots("a dog", parts="JJ"),
    ),
    refused("parts of none", TypeError, "parts=None is NoneType; give one of", lambda _: A.slots("a dog", parts=None)),
    refused(
        "parts in an array",
        TypeError,
        "parts=array.* is ndarray; give one of",
        lambda _: A.slots("a dog", parts=np.array(["noun", "verb"])),
    ),
    refused(
        "an unknown source",
        ValueError,
        "source='web' is not known; give one of 'table', 'nltk'",
        lambda _: A.slots("a dog", source="web"),
    ),
    refused(
        "an unknown relation",
        ValueError,
        "relation=None is not known; give 'synonym' or 'antonym'",
        lambda _: A.swap_word("a dog", None),
    ),
    refused(
        "swaps by an encoder's name",
        TypeError,
        "encoder is 'mini'; give an encoder, such as clwork.load_encoder",
        lambda _: A.Swaps("mini", parts="any", source="table", max_length=32),
    ),
    refused(
        "word vectors of a name",
        TypeError,
        "backbone is str, without word vectors to change; give encoder.backbone",
        lambda _: A.at_embeddings("mini", lambda x: x).__enter__(),
    ),
]

VECTORS = [
    refused(
        "cut-off of an array",
        TypeError,
        r"cutoff takes embeddings \(B, T, D\) .*; got ndarray .*give torch.Tensors",
        lambda _: A.cutoff(WORDS.numpy(), MASK, "token", rate=0.1, generator=seeded()),
    ),
    refused(
        "cut-off of whole numbers",
        ValueError,
        "cutoff takes .*of torch.int64",
        lambda _: A.cutoff(WORDS.long(), MASK, "token", rate=0.1, generator=seeded()),
    ),
    refused(
        "cut-off of nothing",
        ValueError,
        r"cutoff takes .*got \(2, 5, 0\)",
        lambda _: A.cutoff(WORDS[..., :0], MASK, "token", rate=0.1, generator=seeded()),
    ),
    refused(
        "a mask in a list",
        TypeError,
        "got list .*give torch.Tensors",
        lambda _: A.cutoff(WORDS, MASK.tolist(), "token", rate=0.1, generator=seeded()),
    ),
    refused(
        "a mask of another size",
        ValueError,
        r"and \(2, 4\)",
        lambda _: A.cutoff(WORDS, MASK[:, :4], "token", rate=0.1, generator=seeded()),
    ),
    refused(
        "an unknown cut-off",
        ValueError,
        "kind='word' is not known; give one of 'feature'",
        lambda _: A.cutoff(WORDS, MASK, "word", rate=0.1, generator=seeded()),
    ),
    refused(
        "an unknown perturbation",
        TypeError,
        "kind=None is NoneType; give one of 'none', 'radial'",
        lambda _: A.perturb(Z, None, generator=seeded()),
    ),
    refused(
        "a mean below 0",
        ValueError,
        "mean=-0.1 is negative; give the middle of the shell",
        lambda _: A.perturb(Z, "radial", generator=seeded(), mean=-0.1),
    ),
    refused(
        "a mean of NaN",
        ValueError,
        "mean=nan is not finite; give the middle",
        lambda _: A.perturb(Z, "radial", generator=seeded(), mean=NAN),
    ),
    refused(
        "an infinite mean",
        ValueError,
        "mean=inf is not finite",
        lambda _: A.perturb(Z, "radial", generator=seeded(), mean=INF),
    ),
    refused(
        "a mean in words",
        TypeError,
        "mean='0.1' is str",
        lambda _: A.perturb(Z, "radial", generator=seeded(), mean="0.1"),
    ),
    refused(
        "whole numbers to perturb",
        TypeError,
        "vectors is a Tensor of torch.int64; give",
        lambda _: A.perturb(Z.long(), "radial", generator=seeded()),
    ),
    refused(
        "an array to perturb",
        TypeError,
        "vectors is a ndarray; give a torch.Tensor",
        lambda _: A.perturb(Z.numpy(), "radial", generator=seeded()),
    ),
    taken(
        "numpy's mean",
        lambda _: A.perturb(Z, "radial", generator=seeded(), mean=np.float64(0.01)).dtype == torch.float32,
    ),
]

PWVA = [
    refused("a share above 1", ValueError, "p=1.5 is not a share; give a number from 0 to 1", pwva(p=1.5)),
    refused("a share in words", TypeError, "p='0.5' is str; give a plain number", pwva(p="0.5")),
    refused("a share true", TypeError, "p=True is bool", pwva(p=True)),
    refused("zeros of NaN", ValueError, "zeros=nan is not a share", pwva(zeros=NAN)),
    refused("three weights", ValueError, "mix=.*; give four weights", pwva(mix=(1, 1, 1))),
    refused("weights in words", ValueError, "mix=.*; give four weights", pwva(mix=("1", "1", "1", "1"))),
    refused("weights that are one number", ValueError, "mix=0.5; give four weights", pwva(mix=0.5)),
    refused("weights of NaN", ValueError, "mix=.*; give four weights", pwva(mix=(NAN, 1, 1, 1))),
    refused("a ratio of words", ValueError, "snr=.*; give the least and the most decibels", pwva(snr=("6", "11"))),
    refused("a ratio upside down", ValueError, "snr=.*; give the least and the most", pwva(snr=(11.0, 6.0))),
    refused("a ratio of none", ValueError, "snr=None; give the least and the most", pwva(snr=None)),
    refused("an unknown Fourier", ValueError, "fourier_mode='fft'.*give one of", pwva(fourier_mode="fft")),
    refused("an unknown background", ValueError, "background_mode=None; give one of", pwva(background_mode=None)),
    refused(
        "words that are no tensor", TypeError, "word vectors must be .*got list", lambda _: A.pwva(WORDS.tolist(), MASK)
    ),
    refused("no words", ValueError, r"word vectors must be .*got \(0, 5, 4\)", lambda _: A.pwva(WORDS[:0], MASK[:0])),
    refused("a Fourier transform of a word", TypeError, "vectors is a str", lambda _: A.fourier("vectors")),
    refused(
        "a Fourier transform of nothing",
        ValueError,
        r"vectors has shape \(2, 5, 0\); it must be",
        lambda _: A.fourier(WORDS[..., :0]),
    ),
    refused(
        "another Fourier transform",
        ValueError,
        "mode='fft' is not known; give one of 'demean'",
        lambda _: A.fourier(WORDS, mode="fft"),
    ),
    refused(
        "another background",
        ValueError,
        "mode='loud' is not known; give one of 'paper'",
        lambda _: A.background_noise(WORDS, mode="loud", generator=seeded()),
    ),
    refused(
        "two hundred per cent zeros",
        ValueError,
        "share=2.0 is not a share",
        lambda _: A.random_zeros(WORDS, share=2.0, generator=seeded()),
    ),
    refused(
        "white noise of NaN decibels",
        ValueError,
        "snr=.nan, 11.0.; give",
        lambda _: A.gaussian_white_noise(WORDS, snr=(NAN, 11.0), generator=seeded()),
    ),
    taken(
        "numpy's numbers in PWVA",
        lambda _: torch.equal(
            pwva(p=np.float32(0.5), mix=np.ones(4), snr=np.array([6, 11]))(Path()),
            pwva(p=0.5, mix=(1, 1, 1, 1))(Path()),
        ),
    ),
]

NOISE = [
    refused("no noise", ValueError, "count=0 is out of range; give an int of at least 1", noise(count=0)),
    refused("half a noise", TypeError, "count=2.5 is float; give an int of at least 1", noise(count=2.5)),
    refused("noise that is true", TypeError, "count=True is bool; give an int of at least 1", noise(count=True)),
    refused(
        "a shape that is a number", TypeError, "shape is 5; give the sizes of the noise", lambda _: A.gaussian_noise(5)
    ),
    refused("a shape without sizes", ValueError, "is empty or no shape", lambda _: A.gaussian_noise(())),
    refused("sigma in words", TypeError, "sigma='1' is str", noise(sigma="1")),
    refused("sigma of NaN", ValueError, "sigma is nan; it must be finite and above 0", noise(sigma=NAN)),
    refused("steps in words", TypeError, "steps='4' is str; give an int of at least 0", noise(steps="4")),
    refused("steps below 0", ValueError, "steps=-1 is out of range", noise(steps=-1)),
    refused("a step of NaN", ValueError, "step_size is nan; it must be finite and at least 0", noise(step_size=NAN)),
    refused("a step of None", TypeError, "step_size=None is NoneType", noise(step_size=None)),
    refused("a temperature of 0", ValueError, "temperature is 0; it must be finite and above 0", noise(temperature=0)),
    refused("a temperature in words", TypeError, "temperature='1' is str", noise(temperature="1")),
    refused("own noise in words", TypeError, "per_sentence='no' is str", noise(per_sentence="no")),
    refused(
        "an unknown variant",
        ValueError,
        "variant='literal' is not known; give 'paper' or 'code'",
        noise(variant="literal"),
    ),
    refused(
        "views in an array",
        TypeError,
        "z1 must be a torch.Tensor of floating-point",
        lambda _: A.noise_negatives(Z.numpy(), Z, count=2),
    ),
    refused(
        "views of whole numbers",
        TypeError,
        "z2 must be a torch.Tensor of floating-point",
        lambda _: A.noise_negatives(Z, Z.long(), count=2),
    ),
    refused(
        "views of NaN",
        ValueError,
        "z1 has NaN or infinity; lower the learning rate",
        lambda _: A.noise_negatives(Z * NAN, Z, count=2),
    ),
    refused(
        "noise of NaN", ValueError, "noise has NaN or infinity; draw it anew", lambda _: A.ascend_noise(Z * NAN, Z, Z)
    ),
    refused("noise in a list", ValueError, "noise must be .K, 6.", lambda _: A.ascend_noise([[1.0]], Z, Z)),
    refused(
        "no dimension",
        ValueError,
        "dim=0 is out of range; give an int of at least 1",
        lambda _: A.beta_rel(1e-3, 4, 1.0, 0),
    ),
    refused(
        "no spread",
        ValueError,
        "sigma is 0.0; it must be finite and above 0",
        lambda _: A.step_size_for(1.0, 4, 0.0, 768),
    ),
    refused("half a step", TypeError, "steps=0.5 is float", lambda _: A.beta_rel(1e-3, 0.5, 1.0, 768)),
    taken(
        "numpy's numbers in noise",
        lambda _: torch.equal(
            noise(count=np.int64(2), steps=np.int32(3), sigma=np.float32(1), step_size=np.float64(0.1))(Path()),
            noise(steps=3, step_size=0.1)(Path()),
        ),
    ),
    taken(
        "numpy's dimension",
        lambda _: A.beta_rel(np.float64(1e-3), np.int64(4), 1, np.int64(768)) == A.beta_rel(1e-3, 4, 1.0, 768),
    ),
]


@table(*TEXTS, *VECTORS, *PWVA, *NOISE)
def test_it(case: Case, tmp_path: Path) -> None:
    hold(case, tmp_path)
