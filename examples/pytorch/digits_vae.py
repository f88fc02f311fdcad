"""DigitsVae.java in PyTorch. Arguments: the number of epochs, the folder of the run, and a file with the initial weights."""
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader

from common import JavaRandom, Metrics, Shuffle, arguments, digits

LATENT = 4


class Vae(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(64, 128)
        self.mean = nn.Linear(128, LATENT)
        self.log_variance = nn.Linear(128, LATENT)
        self.decoder = nn.Sequential(nn.Linear(LATENT, 128), nn.ReLU(), nn.Linear(128, 64))

    def loss(self, pixels, noise):
        """Returns the negative evidence lower bound, per image."""
        features = self.hidden(pixels).relu()
        mu = self.mean(features)
        log_var = self.log_variance(features)
        code = mu + (0.5 * log_var).exp() * noise
        decoded = self.decoder(code)
        difference = F.binary_cross_entropy_with_logits(decoded, pixels, reduction="sum")
        divergence = -0.5 * (1 + log_var - mu.square() - log_var.exp()).sum()
        return (difference + divergence) / len(pixels)


def noise(random, rows):
    """Draws from the normal distribution. JavaRandom replaces torch.randn(rows, LATENT), to draw the same numbers as Java."""
    return torch.tensor([[random.gaussian() for _ in range(LATENT)] for _ in range(rows)])


def show(images):
    for y in range(8):
        rows = ["".join(" .:-=+*#%@"[int(p * 9.99)] for p in image[8 * y : 8 * y + 8]) for image in images.tolist()]
        print("   ".join(rows).rstrip())


def main():
    epochs, run, start = arguments(20, "runs/digits-vae-pytorch")
    train_x, _, test_x, _ = digits()
    loader = DataLoader(train_x, 64, sampler=Shuffle(len(train_x), 0))
    random = JavaRandom(0)
    torch.manual_seed(0)
    model = Vae()
    if start:
        model.load_state_dict(start)
    optimizer = torch.optim.Adam(model.parameters(), 2e-3)
    metrics = Metrics(run, "loss")
    step = 0
    for epoch in range(epochs):
        for pixels in loader:
            optimizer.zero_grad()
            loss = model.loss(pixels, noise(random, len(pixels)))
            loss.backward()
            optimizer.step()
            step += 1
            metrics.log(step, "loss", loss.item())
    with torch.no_grad():
        loss = model.loss(test_x, torch.zeros(360, LATENT)).item()
        print(f"the loss of images that are held out is {loss:.2f}; new images:")
        show(model.decoder(noise(random, 6)).sigmoid())


main()
