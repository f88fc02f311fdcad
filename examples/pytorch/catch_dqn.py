"""CatchDqn.java in PyTorch. Arguments: the number of episodes, the folder of the run, and a file with the initial weights."""
import torch
from torch import nn
from torch.nn import functional as F

from common import JavaRandom, Metrics, arguments

BATCH = 32
DISCOUNT = 0.95


class Board:
    """The environment. A ball falls one row in each step. The action 0, 1 or 2 moves the paddle left, keeps it, or moves it right."""

    ROWS = 8
    COLUMNS = 7

    def __init__(self, random):
        self.ball, self.row, self.paddle = random.integer(self.COLUMNS), 0, self.COLUMNS // 2

    def cells(self):
        cells = torch.zeros(self.ROWS, self.COLUMNS)
        cells[self.row, self.ball] = 1
        cells[self.ROWS - 1, self.paddle] = 1
        return cells.flatten()

    def is_over(self):
        return self.row == self.ROWS - 1

    def step(self, action):
        """Returns the reward."""
        self.paddle = min(max(self.paddle + action - 1, 0), self.COLUMNS - 1)
        self.row += 1
        return 0.0 if not self.is_over() else 1.0 if self.ball == self.paddle else -1.0


def network():
    return nn.Sequential(nn.Linear(Board.ROWS * Board.COLUMNS, 64), nn.ReLU(), nn.Linear(64, 3))


def best(model, cells):
    with torch.no_grad():
        return model(cells).argmax().item()


def loss_of(model, target, batch):
    """Returns the loss of the temporal difference. The target is the reward plus the discounted best value of the next board."""
    cells, actions, rewards, following, ends = zip(*batch)
    values = model(torch.stack(cells)).gather(1, torch.tensor(actions).unsqueeze(1)).squeeze(1)
    with torch.no_grad():
        next_values = target(torch.stack(following)).amax(1)
    return F.smooth_l1_loss(values, torch.tensor(rewards) + next_values * DISCOUNT * (1 - torch.tensor(ends)))


def main():
    episodes, run, start = arguments(300, "runs/catch-dqn-pytorch")
    random = JavaRandom(0)
    memory = []
    torch.manual_seed(0)
    model, target = network(), network()
    if start:
        model.load_state_dict(start)
    target.load_state_dict(model.state_dict())
    optimizer = torch.optim.Adam(model.parameters(), 2e-3)
    metrics = Metrics(run, "loss", "return")
    step, total = 0, 0.0
    for episode in range(episodes):
        board = Board(random)
        exploration = max(0.05, 1 - 2.0 * episode / episodes)
        while not board.is_over():
            cells = board.cells()
            action = random.integer(3) if random.double() < exploration else best(model, cells)
            reward = board.step(action)
            memory.append((cells, action, reward, board.cells(), float(board.is_over())))
            batch = [memory[random.integer(len(memory))] for _ in range(BATCH)]
            optimizer.zero_grad()
            loss = loss_of(model, target, batch)
            loss.backward()
            optimizer.step()
            step += 1
            metrics.log(step, "loss", loss.item())
            if step % 100 == 0:
                target.load_state_dict(model.state_dict())
        metrics.log(step, "return", reward)
        total += reward if episode >= episodes - 100 else 0
    print(f"the mean return of the last 100 episodes is {total / min(100, episodes):.2f}")


main()
