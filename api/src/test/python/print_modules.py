"""Writes printed-modules.txt: modules as PyTorch prints them (python print_modules.py > printed-modules.txt)."""
import torch
from torch import nn
from collections import OrderedDict
modules = {}
modules["linear"] = nn.Linear(3,4,bias=False)
modules["sequential"] = nn.Sequential(nn.Linear(64,256),nn.ReLU(),nn.Dropout(0.2),nn.Linear(256,10))
modules["convolutions"] = nn.Sequential(nn.Conv2d(1,32,3,padding=1),nn.BatchNorm2d(32),nn.ReLU(),nn.MaxPool2d(2),nn.AdaptiveAvgPool2d(1),nn.Flatten(),nn.Linear(32,10))
modules["list"] = nn.ModuleList([nn.Linear(4,4) for _ in range(3)]+[nn.ReLU()]+[nn.Linear(4,4)])
modules["dict"] = nn.ModuleDict(OrderedDict(a=nn.Linear(2,3),b=nn.GELU(),c=nn.Sequential(nn.Tanh(),nn.Softmax(dim=1))))
modules["recurrent"] = nn.LSTM(8,16,num_layers=2,batch_first=True,dropout=0.1,bidirectional=True)
modules["gru"] = nn.GRU(8,16)
modules["attention"] = nn.MultiheadAttention(16,4)
modules["encoder"] = nn.TransformerEncoder(nn.TransformerEncoderLayer(16,4,32,batch_first=True),2)
modules["decoder_layer"] = nn.TransformerDecoderLayer(16,4,32)
modules["norms"] = nn.Sequential(nn.LayerNorm(16),nn.GroupNorm(2,16),nn.BatchNorm1d(16),nn.InstanceNorm2d(3))
modules["embedding"] = nn.Sequential(nn.Embedding(100,16,padding_idx=0))
modules["activations"] = nn.Sequential(nn.LeakyReLU(0.2),nn.ELU(),nn.GELU(approximate='tanh'),nn.SiLU(),nn.PReLU(),nn.Softplus(),nn.Hardtanh(),nn.LogSoftmax(dim=-1),nn.Sigmoid(),nn.Mish(),nn.GLU())
modules["reshaping"] = nn.Sequential(nn.PixelShuffle(2),nn.Unflatten(1,(2,2)),nn.Identity(),nn.Flatten())
modules["losses"] = nn.ModuleList([nn.CrossEntropyLoss(),nn.MSELoss()])
modules["empty"] = nn.Sequential()
modules["pools"] = nn.Sequential(nn.AvgPool2d(2),nn.Dropout2d(),nn.ZeroPad2d(1))
modules["parameters"] = nn.ParameterList([nn.Parameter(torch.zeros(2,3)),nn.Parameter(torch.zeros(4))])
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2)
        self.norm = nn.LayerNorm(8)
        self.feed = nn.Sequential(nn.Linear(8,16),nn.GELU(),nn.Linear(16,8))
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(50, 8)
        self.blocks = nn.ModuleList([Block(), Block()])
        self.head = nn.Linear(8,50,bias=False)
modules["model"] = Model()
for name, module in modules.items():
    print('## ' + name)
    print(module)
