"""Makes the fixtures that layers, losses and optimizers are compared with: what PyTorch computes, in float64.

    pip install torch
    python src/test/python/make_torch_fixtures.py src/test/resources/torch [family ...]

A family is one safetensors file. Its tensors are named by case: case/state/NAME (the state dict), case/in/I, case/out/I,
and the gradients case/grad/in/I and case/grad/state/NAME of the sum over outputs of (out * cos(0, 1, 2, ...)).sum().
Weights and inputs come from seeds, so the same version makes the same files.
"""

import json
import pathlib
import struct
import sys

import torch
from torch import nn

NAMES = {
    torch.float64: "F64", torch.float32: "F32", torch.int64: "I64", torch.bool: "BOOL", torch.int32: "I32",
}


def write(path, tensors):
    header, blobs, offset = {}, [], 0
    for name, tensor in tensors.items():
        tensor = tensor.detach().contiguous().cpu()
        blob = tensor.numpy().tobytes()
        header[name] = dict(dtype=NAMES[tensor.dtype], shape=list(tensor.shape), data_offsets=[offset, offset + len(blob)])
        blobs.append(blob)
        offset += len(blob)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(blobs))


class Family:
    def __init__(self):
        self.tensors = {}

    def add(self, case, name, tensor):
        self.tensors[f"{case}/{name}"] = tensor.detach().clone()

    def case(self, name, module, inputs, call=None):
        """Runs a module (or a function without state) and keeps what went in, what came out, and the gradients."""
        inputs = [self.leaf(value) for value in inputs]
        if isinstance(module, nn.Module):
            module.double()
            module.zero_grad()
            for key, value in module.state_dict().items():
                self.add(name, f"state/{key}", value)
        for index, value in enumerate(inputs):
            self.add(name, f"in/{index}", value)
        outputs = (call or (lambda m, *given: m(*given)))(module, *inputs)
        outputs = outputs if isinstance(outputs, (list, tuple)) else [outputs]
        loss = 0
        for index, output in enumerate(outputs):
            self.add(name, f"out/{index}", output)
            if output.requires_grad:
                weights = torch.arange(output.numel(), dtype=torch.float64).cos().reshape(output.shape)
                loss = loss + (output * weights).sum()
        if torch.is_tensor(loss) and loss.requires_grad:
            loss.backward()
        for index, value in enumerate(inputs):
            if value.grad is not None:
                self.add(name, f"grad/in/{index}", value.grad)
        if isinstance(module, nn.Module):
            for key, value in module.named_parameters():
                if value.grad is not None:
                    self.add(name, f"grad/state/{key}", value.grad)
            for key, value in module.named_buffers():
                self.add(name, f"after/{key}", value)

    @staticmethod
    def leaf(value):
        value = value.detach().clone()
        return value.requires_grad_() if value.is_floating_point() else value


def seed(number):
    torch.manual_seed(number)


def randn(*shape):
    return torch.randn(*shape, dtype=torch.float64)


def flat(result):
    """(output, (h, c)) or (output, h) as one list."""
    output, hidden = result
    return [output, *hidden] if isinstance(hidden, tuple) else [output, hidden]


def recurrent():
    family = Family()
    seed(1)
    x = randn(5, 3, 4)
    variants = dict(
        plain=dict(),
        deep=dict(num_layers=2, bidirectional=True),
        nobias=dict(bias=False, batch_first=True),
    )
    for kind in (nn.RNN, nn.LSTM, nn.GRU):
        name = kind.__name__.lower()
        for variant, options in variants.items():
            module = kind(4, 6, **options)
            family.case(f"{name}_{variant}", module, [x], lambda m, v: flat(m(v)))
        module = kind(4, 6, num_layers=2, bidirectional=True)
        hidden = randn(4, 3, 6)
        if kind is nn.LSTM:
            family.case(f"{name}_state", module, [x, hidden, randn(4, 3, 6)], lambda m, v, h, c: flat(m(v, (h, c))))
        else:
            family.case(f"{name}_state", module, [x, hidden], lambda m, v, h: flat(m(v, h)))
        family.case(f"{name}_unbatched", kind(4, 6), [x[:, 0]], lambda m, v: flat(m(v)))

        def packed(m, v):
            given = nn.utils.rnn.pack_padded_sequence(v, torch.tensor([3, 5, 1]), enforce_sorted=False)
            output, hidden = m(given)
            padded, _ = nn.utils.rnn.pad_packed_sequence(output, padding_value=-1.0)
            return flat((padded, hidden))

        family.case(f"{name}_packed", kind(4, 6, num_layers=2, bidirectional=True), [x], packed)
    family.case("rnn_relu", nn.RNN(4, 6, nonlinearity="relu"), [x], lambda m, v: flat(m(v)))
    family.case(
        "lstm_projected",
        nn.LSTM(4, 6, num_layers=2, bidirectional=True, proj_size=3),
        [x, randn(4, 3, 3), randn(4, 3, 6)],
        lambda m, v, h, c: flat(m(v, (h, c))),
    )
    family.case("rnncell", nn.RNNCell(4, 6), [randn(3, 4), randn(3, 6)])
    family.case("rnncell_relu", nn.RNNCell(4, 6, nonlinearity="relu"), [randn(3, 4), randn(3, 6)])
    family.case("grucell", nn.GRUCell(4, 6), [randn(3, 4), randn(3, 6)])
    family.case("lstmcell", nn.LSTMCell(4, 6), [randn(3, 4), randn(3, 6), randn(3, 6)], lambda m, v, h, c: m(v, (h, c)))
    family.case("grucell_unbatched", nn.GRUCell(4, 6, bias=False), [randn(4)])
    return family


def parametrize():
    from torch.nn.utils.parametrizations import spectral_norm, weight_norm

    family = Family()
    seed(2)
    family.case("weight_norm_linear", weight_norm(nn.Linear(4, 3)), [randn(2, 4)])
    family.case("weight_norm_dim1", weight_norm(nn.Linear(4, 3), dim=1), [randn(2, 4)])
    family.case("weight_norm_whole", weight_norm(nn.Linear(4, 3), dim=None), [randn(2, 4)])
    family.case("weight_norm_conv", weight_norm(nn.Conv1d(2, 3, 3)), [randn(2, 2, 5)])
    family.case("spectral_norm_linear", spectral_norm(nn.Linear(4, 3).double()), [randn(2, 4)])
    family.case("spectral_norm_conv", spectral_norm(nn.Conv2d(2, 3, 3).double(), n_power_iterations=2), [randn(1, 2, 4, 4)])
    family.case("spectral_norm_eval", spectral_norm(nn.Linear(4, 3).double()).eval(), [randn(2, 4)])
    family.case(
        "spectral_norm_twice", spectral_norm(nn.Linear(4, 4).double()), [randn(2, 4)], lambda m, x: m(m(x))
    )
    return family


def transformer():
    family = Family()
    seed(3)
    x, y = randn(4, 2, 6), randn(3, 2, 6)
    allowed = torch.tensor([[False, True, False, False], [False, False, True, False], [True, False, False, False]])
    padding = torch.tensor([[False, False, False, True], [False, False, False, False]])
    added = randn(3, 4)
    family.add("masks", "added", added)

    def attention(**options):
        module = nn.MultiheadAttention(6, 3, **options)
        for parameter in module.parameters():
            nn.init.normal_(parameter, std=0.5)
        return module

    family.case("mha_self", attention(), [x], lambda m, v: m(v, v, v))
    family.case("mha_sizes", attention(kdim=5, vdim=4), [y, randn(4, 2, 5), randn(4, 2, 4)])
    family.case(
        "mha_masks", attention(), [y, x], lambda m, q, k: m(q, k, k, attn_mask=allowed, key_padding_mask=padding)
    )
    family.case(
        "mha_heads", attention(), [y, x], lambda m, q, k: m(q, k, k, attn_mask=added, average_attn_weights=False)
    )
    family.case(
        "mha_extra",
        attention(add_bias_kv=True, add_zero_attn=True),
        [y, x],
        lambda m, q, k: m(q, k, k, attn_mask=added, key_padding_mask=padding),
    )
    family.case(
        "mha_unweighted", attention(), [y, x], lambda m, q, k: m(q, k, k, attn_mask=added, need_weights=False)[0]
    )
    family.case(
        "mha_batchfirst", attention(batch_first=True, bias=False), [x.transpose(0, 1)], lambda m, v: m(v, v, v)
    )
    family.case("mha_unbatched", attention(), [y[:, 0], x[:, 0]], lambda m, q, k: m(q, k, k))
    causal = nn.Transformer.generate_square_subsequent_mask(4, dtype=torch.float64)
    family.case(
        "mha_causal", attention(), [x], lambda m, v: m(v, v, v, attn_mask=causal, need_weights=False, is_causal=True)[0]
    )

    small = dict(dim_feedforward=5, dropout=0.0)
    family.case("encoderlayer", nn.TransformerEncoderLayer(6, 2, **small), [x])
    family.case(
        "encoderlayer_first",
        nn.TransformerEncoderLayer(6, 2, norm_first=True, activation="gelu", layer_norm_eps=1e-3, **small),
        [x],
        lambda m, v: m(v, src_key_padding_mask=padding),
    )
    family.case("encoderlayer_nobias", nn.TransformerEncoderLayer(6, 2, bias=False, batch_first=True, **small), [x.transpose(0, 1)])
    family.case("decoderlayer", nn.TransformerDecoderLayer(6, 2, **small), [y, x])
    family.case(
        "decoderlayer_masks",
        nn.TransformerDecoderLayer(6, 2, norm_first=True, **small),
        [y, x],
        lambda m, t, memory: m(
            t, memory, tgt_mask=causal[:3, :3], memory_mask=allowed, memory_key_padding_mask=padding
        ),
    )
    layer = nn.TransformerEncoderLayer(6, 2, **small)
    family.case(
        "encoder", nn.TransformerEncoder(layer, 2, nn.LayerNorm(6)), [x], lambda m, v: m(v, mask=causal, is_causal=True)
    )
    family.case(
        "transformer",
        nn.Transformer(6, 2, 2, 1, **small),
        [x, y],
        lambda m, s, t: m(s, t, tgt_mask=causal[:3, :3], src_key_padding_mask=padding),
    )
    return family


def layers():
    family = Family()
    seed(4)
    line, image, volume = randn(2, 4, 6), randn(2, 4, 6, 5), randn(2, 4, 3, 3, 4)
    for name, module in dict(
        hardtanh=nn.Hardtanh(-0.5, 0.75),
        relu6=nn.ReLU6(),
        hardsigmoid=nn.Hardsigmoid(),
        hardswish=nn.Hardswish(),
        selu=nn.SELU(),
        celu=nn.CELU(1.5),
        gelu_tanh=nn.GELU(approximate="tanh"),
        gelu=nn.GELU(),
        glu=nn.GLU(1),
        hardshrink=nn.Hardshrink(),
        softshrink=nn.Softshrink(0.25),
        logsigmoid=nn.LogSigmoid(),
        mish=nn.Mish(),
        softsign=nn.Softsign(),
        tanhshrink=nn.Tanhshrink(),
        softmin=nn.Softmin(1),
        softplus=nn.Softplus(2, 3),
        threshold=nn.Threshold(0.1, 20),
        prelu=nn.PReLU(),
        prelu_channels=nn.PReLU(4, 0.1),
        rrelu=nn.RReLU().eval(),
    ).items():
        family.case(f"act_{name}", module, [line * 2])
    # PyTorch's gradient in float64 is the 1/6 of float32.
    family.tensors["act_hardsigmoid/grad/in/0"] = family.tensors["act_hardsigmoid/grad/in/0"].sign() * (
        torch.arange(line.numel(), dtype=torch.float64).cos().reshape(line.shape).abs() / 6
    )
    family.case("act_softmax2d", nn.Softmax2d(), [image])

    def affine(module):
        for parameter in module.parameters():
            nn.init.normal_(parameter)
        return module

    family.case("groupnorm", affine(nn.GroupNorm(2, 4)), [image])
    family.case("groupnorm_plain", nn.GroupNorm(4, 4, eps=1e-3, affine=False), [line])
    family.case("localresponsenorm", nn.LocalResponseNorm(3, 0.5, 0.7, 1.5), [image])
    family.case("instancenorm1d", nn.InstanceNorm1d(4), [line])
    family.case("instancenorm1d_unbatched", affine(nn.InstanceNorm1d(4, affine=True)), [line[0]])
    family.case("instancenorm2d", affine(nn.InstanceNorm2d(4, affine=True)), [image])
    family.case("instancenorm3d", nn.InstanceNorm3d(4, momentum=0.3, track_running_stats=True), [volume])
    evaluated = nn.InstanceNorm2d(4, affine=True, track_running_stats=True).double()
    evaluated(image)
    family.case("instancenorm2d_eval", evaluated.eval(), [image])
    for kind in ("Reflection", "Replication", "Circular"):
        family.case(f"pad_{kind}1d", getattr(nn, f"{kind}Pad1d")(2), [line])
        family.case(f"pad_{kind}2d", getattr(nn, f"{kind}Pad2d")((1, 2, 3, 0)), [image])
        family.case(f"pad_{kind}3d", getattr(nn, f"{kind}Pad3d")((1, 2, 0, 1, 2, 1)), [volume])
    family.case("pad_Constant1d", nn.ConstantPad1d((1, 2), 3.5), [line])
    family.case("pad_Constant2d", nn.ConstantPad2d((1, -2, -1, 2), 3.5), [image])
    family.case("pad_Constant3d", nn.ConstantPad3d(1, 3.5), [volume])
    family.case("pad_Zero1d", nn.ZeroPad1d(2), [line])
    family.case("pad_Zero2d", nn.ZeroPad2d((1, 2, 0, 3)), [image])
    family.case("pad_Zero3d", nn.ZeroPad3d(1), [volume])
    family.case("maxpool1d", nn.MaxPool1d(3, stride=2, padding=1), [line])
    family.case("avgpool1d", nn.AvgPool1d(3, stride=2, padding=1, count_include_pad=False), [line])
    family.case("lppool1d", nn.LPPool1d(3, 2), [line.abs() + 0.1])
    family.case("lppool2d", nn.LPPool2d(2, 2, stride=1), [image])
    family.case("pixelshuffle", nn.PixelShuffle(2), [image])
    family.case("pixelunshuffle", nn.PixelUnshuffle(2), [image[..., :4]])
    family.case("channelshuffle", nn.ChannelShuffle(2), [image])
    family.case("unfold", nn.Unfold((2, 3), dilation=(1, 2), padding=(1, 1), stride=(2, 1)), [image])
    family.case("bilinear", nn.Bilinear(3, 4, 2), [randn(5, 3), randn(5, 4)])
    family.case("bilinear_nobias", nn.Bilinear(3, 4, 2, bias=False), [randn(2, 5, 3), randn(2, 5, 4)])
    indices = torch.tensor([[0, 2, 2], [4, 1, 3]])
    family.case("embeddingbag", nn.EmbeddingBag(5, 3), [indices])
    family.case("embeddingbag_max", nn.EmbeddingBag(5, 3, mode="max"), [indices.flatten(), torch.tensor([0, 2, 2])])
    family.case(
        "embeddingbag_sum",
        nn.EmbeddingBag(5, 3, mode="sum", include_last_offset=True),
        [indices.flatten(), torch.tensor([0, 2, 6]), randn(6)],
        lambda m, i, o, w: m(i, o, per_sample_weights=w),
    )
    family.case("unflatten", nn.Unflatten(1, (2, 2)), [line])
    family.case("cosinesimilarity", nn.CosineSimilarity(), [line, randn(2, 4, 6)])
    family.case("pairwisedistance", nn.PairwiseDistance(p=3, keepdim=True), [line[0], randn(4, 6)])
    manhattan = nn.TripletMarginWithDistanceLoss(
        distance_function=lambda a, b: (a - b).abs().sum(-1), margin=2, swap=True, reduction="none"
    )
    family.case("triplet", nn.TripletMarginWithDistanceLoss(), [randn(3, 4), randn(3, 4), randn(3, 4)])
    family.case("triplet_manhattan", manhattan, [randn(3, 4), randn(3, 4), randn(3, 4)])
    adaptive = nn.AdaptiveLogSoftmaxWithLoss(8, 12, [4, 9], div_value=2.0, head_bias=True)
    family.case("adaptive", adaptive, [randn(5, 8), torch.tensor([0, 11, 5, 8, 3])])
    family.case("adaptive_all", adaptive, [randn(5, 8)], lambda m, v: [m.log_prob(v), m.predict(v)])
    return family


def windows():
    """Convolutions of volumes, transposed ones, pooling, other sizes."""
    family = Family()
    seed(9)
    line, image, volume = randn(2, 4, 7), randn(2, 4, 6, 5), randn(2, 4, 4, 5, 6)
    of = {1: line, 2: image, 3: volume}
    family.case("conv3d", nn.Conv3d(4, 3, 2), [volume])
    family.case("conv3d_full", nn.Conv3d(4, 6, (2, 3, 1), (1, 2, 3), (1, 0, 2), (1, 2, 1), 2, bias=False), [volume])
    for dims in (1, 2, 3):
        kind = getattr(nn, f"ConvTranspose{dims}d")
        family.case(f"convtranspose{dims}d", kind(4, 3, 2), [of[dims]])
        family.case(f"convtranspose{dims}d_full", kind(4, 6, 3, 2, 1, 1, 2, False, 2), [of[dims]])
        size = [2 * length + 2 for length in of[dims].shape[2:]]
        family.case(f"convtranspose{dims}d_sized", kind(4, 2, 3, 2), [of[dims]], lambda m, v, s=size: m(v, output_size=s))
        family.case(f"adaptiveavg{dims}d", getattr(nn, f"AdaptiveAvgPool{dims}d")(3), [of[dims]])
        family.case(
            f"adaptivemax{dims}d",
            getattr(nn, f"AdaptiveMaxPool{dims}d")(3, return_indices=True), [of[dims]],
        )
        pooled, indices = getattr(nn, f"MaxPool{dims}d")(2, return_indices=True)(of[dims])
        family.case(f"maxpool{dims}d_indices", getattr(nn, f"MaxPool{dims}d")(2, return_indices=True), [of[dims]])
        even = of[dims][(..., *[slice(0, length // 2 * 2) for length in of[dims].shape[2:]])]
        family.case(
            f"maxunpool{dims}d", getattr(nn, f"MaxUnpool{dims}d")(2),
            getattr(nn, f"MaxPool{dims}d")(2, return_indices=True)(even),
        )
        family.case(
            f"maxunpool{dims}d_sized",
            getattr(nn, f"MaxUnpool{dims}d")(2), [pooled, indices],
            lambda m, v, i, s=of[dims].shape[2:]: m(v, i, output_size=s),
        )
    family.case("adaptiveavg2d_kept", nn.AdaptiveAvgPool2d((None, 2)), [image])
    family.case("maxpool3d", nn.MaxPool3d((2, 3, 2), 2, (1, 1, 0), 1, ceil_mode=True), [volume])
    family.case("avgpool3d", nn.AvgPool3d((2, 3, 2), 2, (1, 1, 0), ceil_mode=True, count_include_pad=False), [volume])
    family.case("avgpool3d_divisor", nn.AvgPool3d(2, divisor_override=3), [volume])
    family.case("lppool3d", nn.LPPool3d(2, 2, stride=1), [volume])
    family.case("fold", nn.Fold((6, 5), (2, 3), (1, 2), (1, 1), (2, 1)), [randn(2, 4 * 6, 4 * 3)])
    family.case("fold_unbatched", nn.Fold((5, 6), 2), [randn(12, 20)])
    family.case("upsample", nn.Upsample(scale_factor=2), [volume])
    family.case("upsample_linear", nn.Upsample(size=11, mode="linear"), [line])
    family.case("upsample_bicubic", nn.Upsample(size=(9, 4), mode="bicubic", align_corners=True), [image])
    family.case("upsample_trilinear", nn.Upsample(scale_factor=(1.5, 2, 1), mode="trilinear"), [volume])
    family.case("upsamplingnearest2d", nn.UpsamplingNearest2d(scale_factor=3), [image])
    family.case("upsamplingbilinear2d", nn.UpsamplingBilinear2d((9, 8)), [image])
    f = nn.functional
    samples = torch.rand(2, 4, 2, dtype=torch.float64)
    family.case("fractional2d", None, [image], lambda m, v: f.fractional_max_pool2d_with_indices(
        v, (2, 3), (4, 2), _random_samples=samples))
    family.add("fractional2d", "samples", samples)
    samples3 = torch.rand(2, 4, 3, dtype=torch.float64)
    family.case("fractional3d", None, [volume], lambda m, v: f.fractional_max_pool3d_with_indices(
        v, 2, (2, 3, 4), _random_samples=samples3))
    family.add("fractional3d", "samples", samples3)
    # The gradient is that of normalized probabilities.
    logits = randn(9, 3, 5) * 2
    targets, lengths = torch.tensor([[1, 1, 4, 2], [2, 3, 1, 1], [4, 4, 4, 4]]), torch.tensor([4, 2, 3])
    steps = torch.tensor([9, 7, 8])
    for reduction in ("none", "mean", "sum"):
        family.case(f"ctc_{reduction}", nn.CTCLoss(reduction=reduction), [logits],
                    lambda m, v: m(v.log_softmax(2), targets, steps, lengths))
    joined = torch.cat([row[:length] for row, length in zip(targets, lengths)])
    family.case("ctc_joined", nn.CTCLoss(blank=2, reduction="none"), [logits],
                lambda m, v: m(v.log_softmax(2), joined.where(joined != 2, 0), steps, lengths))
    short = torch.tensor([9, 7, 4])
    family.case("ctc_zero", nn.CTCLoss(reduction="none", zero_infinity=True), [logits],
                lambda m, v: m(v.log_softmax(2), targets, short, lengths))
    return family


class Lion(torch.optim.Optimizer):
    """As in the paper (Chen et al., 2023); PyTorch has none."""

    def __init__(self, params, lr=1e-4, betas=(0.9, 0.99), weight_decay=0.0):
        super().__init__(params, dict(lr=lr, betas=betas, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                average = state.setdefault("exp_avg", torch.zeros_like(p))
                p.mul_(1 - group["lr"] * group["weight_decay"])
                p.add_(average.lerp(p.grad, 1 - group["betas"][0]).sign(), alpha=-group["lr"])
                average.lerp_(p.grad, 1 - group["betas"][1])


class Muon(torch.optim.Optimizer):
    """As torch.optim.Muon of 2.9, but with the iteration in the parameter's dtype."""

    def __init__(self, params, lr=1e-3, weight_decay=0.1, momentum=0.95, nesterov=True, match=False):
        super().__init__(params, dict(lr=lr, weight_decay=weight_decay, momentum=momentum, nesterov=nesterov, match=match))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                buffer = self.state[p].setdefault("momentum_buffer", torch.zeros_like(p))
                buffer.lerp_(p.grad, 1 - group["momentum"])
                x = p.grad.lerp(buffer, group["momentum"]) if group["nesterov"] else buffer
                tall = x.size(0) > x.size(1)
                x = x.T if tall else x
                x = x / x.norm().clamp(min=1e-7)
                for _ in range(5):
                    gram = x @ x.T
                    x = torch.addmm(x, torch.addmm(gram, gram, gram, beta=-4.775, alpha=2.0315), x, beta=3.4445)
                x = x.T if tall else x
                rows, columns = p.shape
                scale = 0.2 * max(rows, columns) ** 0.5 if group["match"] else max(1, rows / columns) ** 0.5
                p.mul_(1 - group["lr"] * group["weight_decay"])
                p.add_(x, alpha=-group["lr"] * scale)


def optimizers():
    family = Family()
    # So that what an optimizer keeps of its steps is in float64 as well.
    torch.set_default_dtype(torch.float64)
    o = torch.optim
    for name, make in dict(
        adamax=lambda p: o.Adamax(p, lr=0.05, weight_decay=0.01),
        nadam=lambda p: o.NAdam(p, lr=0.05, weight_decay=0.01),
        nadam_decoupled=lambda p: o.NAdam(p, lr=0.05, weight_decay=0.1, momentum_decay=0.1, decoupled_weight_decay=True),
        radam=lambda p: o.RAdam(p, lr=0.05, weight_decay=0.01),
        radam_decoupled=lambda p: o.RAdam(p, lr=0.05, betas=(0.8, 0.9), weight_decay=0.1, decoupled_weight_decay=True),
        adadelta=lambda p: o.Adadelta(p, lr=1.0, weight_decay=0.01),
        asgd=lambda p: o.ASGD(p, lr=0.05, lambd=0.01, t0=3, weight_decay=0.01),
        rprop=lambda p: o.Rprop(p, lr=0.05),
        rprop_maximize=lambda p: o.Rprop(p, lr=0.05, etas=(0.4, 1.5), step_sizes=(0.01, 0.1), maximize=True),
        lion=lambda p: Lion(p, lr=0.05, weight_decay=0.1),
        adafactor=lambda p: o.Adafactor(p, lr=0.05, weight_decay=0.1),
        adafactor_small=lambda p: o.Adafactor(p, lr=0.5, beta2_decay=-0.5, eps=(1e-5, 1e-2), d=1.5),
        adagrad=lambda p: o.Adagrad(p, lr=0.1, initial_accumulator_value=0.3, maximize=True),
        rmsprop=lambda p: o.RMSprop(p, lr=0.02, momentum=0.5, centered=True, maximize=True),
        adam=lambda p: o.Adam(p, lr=0.05, maximize=True, amsgrad=True, weight_decay=0.01),
        adamw=lambda p: o.AdamW(p, lr=0.05, maximize=True),
        muon=lambda p: Muon(p[:1], lr=0.05),
        muon_match=lambda p: Muon(p[:1], lr=0.05, nesterov=False, match=True),
        sgd_groups=lambda p: o.SGD([dict(params=p[:1], momentum=0.9, nesterov=True), dict(params=p[1:], lr=0.2)], lr=0.05),
        adam_groups=lambda p: o.Adam([dict(params=p[:1], betas=(0.5, 0.7), amsgrad=True), dict(params=p[1:], eps=0.1)], lr=0.05),
    ).items():
        parameters = [
            nn.Parameter(torch.linspace(-1, 2, 12, dtype=torch.float64).reshape(3, 4)),
            nn.Parameter(torch.linspace(1, -0.5, 3, dtype=torch.float64)),
        ]
        optimizer = make(parameters)
        for step in range(1, 13):
            optimizer.zero_grad()
            sum(
                ((p + 0.5 * p * p) * torch.cos(0.6 * step + torch.arange(p.numel(), dtype=torch.float64)).reshape(p.shape)).sum()
                for p in parameters
            ).backward()
            optimizer.step()
            if step in (1, 6, 12):
                for index, p in enumerate(parameters):
                    family.add(name, f"step{step}/{index}", p)
        for index, p in enumerate(parameters):
            for key, value in optimizer.state[p].items():
                if torch.is_tensor(value) and value.dim() > 0:
                    family.add(name, f"state/{index}.{key}", value)
    torch.set_default_dtype(torch.float32)
    return family


def schedules():
    family = Family()
    from torch.optim import lr_scheduler as lrs
    from torch.optim.swa_utils import SWALR

    metrics = [1.0, 0.9, 0.95, 0.9, 0.89995, 0.91, 0.92, 0.8, 0.81, 0.82, 0.83, 0.84, 0.85, 0.86, 0.87, 0.88]
    family.add("metrics", "values", torch.tensor(metrics, dtype=torch.float64))
    for name, make in dict(
        multiplicative=lambda o: lrs.MultiplicativeLR(o, lambda step: 0.9 + 0.01 * step),
        polynomial=lambda o: lrs.PolynomialLR(o, total_iters=10, power=2.0),
        restarts=lambda o: lrs.CosineAnnealingWarmRestarts(o, 4, T_mult=2, eta_min=0.001),
        restarts_even=lambda o: lrs.CosineAnnealingWarmRestarts(o, 5),
        cyclic=lambda o: lrs.CyclicLR(o, 0.01, 0.1, step_size_up=4, step_size_down=3, cycle_momentum=False),
        cyclic2=lambda o: lrs.CyclicLR(o, 0.01, 0.1, step_size_up=3, mode="triangular2", cycle_momentum=False),
        cyclic_range=lambda o: lrs.CyclicLR(o, 0.01, 0.1, step_size_up=3, mode="exp_range", gamma=0.9, cycle_momentum=False),
        swa=lambda o: SWALR(o, 0.01, anneal_epochs=6),
        swa_linear=lambda o: SWALR(o, 0.01, anneal_epochs=6, anneal_strategy="linear"),
        plateau=lambda o: lrs.ReduceLROnPlateau(o, patience=2, factor=0.5),
        plateau_max=lambda o: lrs.ReduceLROnPlateau(
            o, mode="max", patience=1, threshold=0.005, threshold_mode="abs", cooldown=2, min_lr=0.01
        ),
    ).items():
        optimizer = torch.optim.SGD([nn.Parameter(torch.zeros(1))], lr=0.05)
        schedule = make(optimizer)
        rates = [optimizer.param_groups[0]["lr"]]
        for step in range(16):
            optimizer.step()
            schedule.step(*([metrics[step]] if name.startswith("plateau") else []))
            rates.append(optimizer.param_groups[0]["lr"])
        family.add(name, "rates", torch.tensor(rates, dtype=torch.float64))
    return family


def distributions():
    family = Family()
    # So that the number of draws of a multinomial counts in float64 as well.
    torch.set_default_dtype(torch.float64)
    d = torch.distributions
    t = lambda *values: torch.tensor(values, dtype=torch.float64)
    pairs = dict(
        normal=(d.Normal(t(0.5, -1), t(2, 0.3)), d.Normal(t(0, 1), t(1, 2)), t(0.1, -1.2)),
        uniform=(d.Uniform(t(0, 1), t(2, 4)), d.Uniform(t(-1, 0), t(3, 5)), t(0.5, 3)),
        exponential=(d.Exponential(t(0.5, 2)), d.Exponential(t(1, 3)), t(0.7, 1.5)),
        laplace=(d.Laplace(t(0, 1), t(1, 2)), d.Laplace(t(0.5, -1), t(2, 0.5)), t(0.3, -2)),
        bernoulli=(d.Bernoulli(t(0.2, 0.7)), d.Bernoulli(t(0.5, 0.1)), t(0, 1)),
        geometric=(d.Geometric(t(0.2, 0.7)), d.Geometric(t(0.5, 0.1)), t(3, 0)),
        categorical=(
            d.Categorical(torch.stack([t(0.2, 0.3, 0.5), t(0.1, 0.8, 0.1)])),
            d.Categorical(torch.stack([t(0.4, 0.4, 0.2), t(0.3, 0.3, 0.4)])),
            torch.tensor([2, 0]),
        ),
        gamma=(d.Gamma(t(0.5, 3), t(1, 2)), d.Gamma(t(2, 1), t(3, 0.5)), t(0.4, 2)),
        beta=(d.Beta(t(0.5, 3), t(2, 1.5)), d.Beta(t(1, 2), t(1, 4)), t(0.3, 0.9)),
        dirichlet=(d.Dirichlet(t(0.5, 2, 3)), d.Dirichlet(t(1, 1, 4)), t(0.2, 0.3, 0.5)),
        multinomial=(d.Multinomial(6, t(0.2, 0.3, 0.5)), None, t(1, 2, 3)),
    )
    for name, (p, q, value) in pairs.items():
        family.add(name, "value", value)
        family.add(name, "log_prob", p.log_prob(value))
        family.add(name, "entropy", p.entropy())
        if name != "categorical":
            family.add(name, "mean", p.mean)
            family.add(name, "variance", p.variance)
        if q is not None:
            family.add(name, "kl", d.kl_divergence(p, q))
    torch.set_default_dtype(torch.float32)
    return family


def lbfgs():
    """Rosenbrock's function in two parameters, step by step: losses, and where the parameters are."""
    family = Family()
    cases = dict(
        plain=dict(lr=0.1, max_iter=5),
        wolfe=dict(max_iter=4, line_search_fn="strong_wolfe"),
        short=dict(max_iter=6, history_size=2, line_search_fn="strong_wolfe"),
        evals=dict(max_iter=20, max_eval=7, line_search_fn="strong_wolfe"),
    )
    for name, options in cases.items():
        x = torch.tensor([-1.2, 0.5], dtype=torch.float64, requires_grad=True)
        y = torch.tensor([[1.0], [0.7]], dtype=torch.float64, requires_grad=True)
        optimizer = torch.optim.LBFGS([x, y], **options)

        def closure():
            optimizer.zero_grad()
            loss = ((1 - x) ** 2 + 100 * (y.flatten() - x ** 2) ** 2).sum()
            loss.backward()
            return loss

        for step in range(6):
            family.add(name, f"loss/{step}", optimizer.step(closure))
            family.add(name, f"x/{step}", x)
            family.add(name, f"y/{step}", y)
    return family


FAMILIES = dict(
    recurrent=recurrent,
    parametrize=parametrize,
    transformer=transformer,
    layers=layers,
    windows=windows,
    optimizers=optimizers,
    lbfgs=lbfgs,
    schedules=schedules,
    distributions=distributions,
)


def main():
    target = pathlib.Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:] or FAMILIES:
        write(target / f"{name}.safetensors", FAMILIES[name]().tensors)


if __name__ == "__main__":
    main()
