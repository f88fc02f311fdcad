"""PackedLstm.java in PyTorch. Arguments: the number of epochs, the folder of the run, and a file with the initial weights."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence
from torch.utils.data import DataLoader

from common import JavaRandom, Metrics, Shuffle, arguments

LETTERS = "BTPSXVE"
# The two transitions of each state: a letter and the number of the next state. State 7 ends the word.
GRAMMAR = ["B1B1", "T2P3", "S2X4", "T3V5", "X3S6", "P4V6", "E7E7"]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(len(LETTERS), 16)
        self.lstm = nn.LSTM(16, 64, batch_first=True)
        self.output = nn.Linear(64, 2)

    def forward(self, letters, lengths):
        packed = pack_padded_sequence(self.embedding(letters), lengths, batch_first=True, enforce_sorted=False)
        _, (hidden, _) = self.lstm(packed)
        return self.output(hidden[-1])


def word(random):
    """Returns a word of the grammar. With a probability of one half, replaces one of its letters by another letter."""
    letters, state = "", 0
    while state < len(GRAMMAR):
        choice = 2 * random.integer(2)
        letters += GRAMMAR[state][choice]
        state = int(GRAMMAR[state][choice + 1])
    is_right = random.integer(2) == 0
    if not is_right:
        place = random.integer(len(letters))
        letter = LETTERS.index(letters[place]) + 1 + random.integer(len(LETTERS) - 1)
        letters = letters[:place] + LETTERS[letter % len(LETTERS)] + letters[place + 1 :]
    return torch.tensor([LETTERS.index(c) for c in letters]), int(is_right)


def collate(words):
    """Pads the words of a batch to the length of the longest one."""
    letters, are_right = zip(*words)
    return pad_sequence(letters, batch_first=True), torch.tensor([len(w) for w in letters]), torch.tensor(are_right)


def main():
    epochs, run, start = arguments(15, "runs/packed-lstm-pytorch")
    random = JavaRandom(0)
    words = [word(random) for _ in range(2400)]
    loader = DataLoader(words[:2000], 50, sampler=Shuffle(2000, 0), collate_fn=collate)
    torch.manual_seed(0)
    model = Net()
    if start:
        model.load_state_dict(start)
    optimizer = torch.optim.Adam(model.parameters(), 3e-3)
    metrics = Metrics(run, "loss", "accuracy")
    step = 0
    for epoch in range(epochs):
        for letters, lengths, are_right in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(letters, lengths), are_right)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1)
            optimizer.step()
            step += 1
            metrics.log(step, "loss", loss.item())
    letters, lengths, are_right = collate(words[2000:])
    with torch.no_grad():
        accuracy = (model(letters, lengths).argmax(1) == are_right).float().mean().item()
    metrics.log(step, "accuracy", accuracy)
    print(f"{100 * accuracy:.1f} % of {len(letters)} words are classified correctly")


main()
