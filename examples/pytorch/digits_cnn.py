"""DigitsCnn.java in PyTorch. Arguments: the number of epochs, the folder of the run, and a file with the initial weights."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

from common import Metrics, Shuffle, arguments, digits


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, padding=1)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.hidden = nn.Linear(32 * 2 * 2, 64)
        self.output = nn.Linear(64, 10)

    def forward(self, pixels):
        x = pixels.view(-1, 1, 8, 8)
        x = F.max_pool2d(self.conv1(x).relu(), 2)
        x = F.max_pool2d(self.conv2(x).relu(), 2)
        return self.output(self.hidden(x.flatten(1)).relu())


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


def main():
    epochs, run, start = arguments(10, "runs/digits-cnn-pytorch")
    train_x, train_y, test_x, test_y = digits()
    loader = DataLoader(TensorDataset(train_x, train_y), 64, sampler=Shuffle(len(train_x), 0))
    torch.manual_seed(0)
    model = Net()
    if start:
        model.load_state_dict(start)
    optimizer = torch.optim.AdamW(model.parameters(), 1e-3)
    metrics = Metrics(run, "loss", "accuracy")
    step = 0
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            step += 1
            metrics.log(step, "loss", loss.item())
    result = accuracy(model, test_x, test_y)
    metrics.log(step, "accuracy", result)
    print(f"{100 * result:.1f} % of {len(test_x)} images are read correctly")


main()
