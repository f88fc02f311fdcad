"""CharacterGpt.java in PyTorch. Arguments: the number of epochs, the folder of the run, and a file with the initial weights."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader

from common import ROOT, JavaRandom, Metrics, Shuffle, arguments

CONTEXT = 32
WIDTH = 64
HEADS = 4
TEXT = ROOT / "examples/src/main/resources/dev/outpost/examples/standard/shakespeare.txt"


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1 = nn.LayerNorm(WIDTH)
        self.mixed = nn.Linear(WIDTH, 3 * WIDTH)
        self.joined = nn.Linear(WIDTH, WIDTH)
        self.norm2 = nn.LayerNorm(WIDTH)
        self.wide = nn.Linear(WIDTH, 4 * WIDTH)
        self.narrow = nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        heads = self.mixed(self.norm1(x)).unflatten(-1, (3 * HEADS, -1)).transpose(1, 2)
        query, key, value = heads.chunk(3, 1)
        attention = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        x = x + self.joined(attention.transpose(1, 2).flatten(2))
        return x + self.narrow(F.gelu(self.wide(self.norm2(x))))


class Gpt(nn.Module):
    def __init__(self, characters):
        super().__init__()
        self.tokens = nn.Embedding(characters, WIDTH)
        self.positions = nn.Embedding(CONTEXT, WIDTH)
        self.blocks = nn.Sequential(Block(), Block())
        self.output = nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, characters))

    def forward(self, ids):
        indices = torch.arange(ids.size(1))
        return self.output(self.blocks(self.tokens(ids) + self.positions(indices)))


def sample(model, alphabet, length):
    random = JavaRandom(0)
    text = "ROMEO:\n"
    while len(text) < length:
        ids = torch.tensor([[alphabet.index(c) for c in text[-CONTEXT:]]])
        with torch.no_grad():
            sums = model(ids)[0, -1].softmax(-1).cumsum(-1)
        text += alphabet[(sums < random.double()).sum().item()]
    return text


def main():
    epochs, run, start = arguments(6, "runs/character-gpt-pytorch")
    text = TEXT.read_text()
    alphabet = sorted(set(text))
    ids = torch.tensor([alphabet.index(c) for c in text])
    count = (len(ids) - 1) // CONTEXT
    examples = [(ids[i : i + CONTEXT], ids[i + 1 : i + CONTEXT + 1]) for i in range(0, count * CONTEXT, CONTEXT)]
    loader = DataLoader(examples, 32, sampler=Shuffle(count, 0), drop_last=True)
    torch.manual_seed(0)
    model = Gpt(len(alphabet))
    if start:
        model.load_state_dict(start)
    optimizer = torch.optim.AdamW(model.parameters(), 3e-3)
    metrics = Metrics(run, "loss")
    step = 0
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
            loss.backward()
            optimizer.step()
            step += 1
            metrics.log(step, "loss", loss.item())
    print(sample(model, alphabet, 200))


main()
