package dev.outpost.examples;

import dev.outpost.*;
import dev.outpost.nn.*;
import dev.outpost.nn.Module;
import java.util.List;

/**
 * A layer of a language model: causal attention and a feed-forward net, each with a norm before it and a residual connection
 * (as GPT-2).
 */
public final class TransformerBlock extends Module {
    private final int heads;
    private final LayerNorm before;
    private final Linear mixed;
    private final Linear joined;
    private final LayerNorm between;
    private final Linear wide;
    private final Linear narrow;

    public TransformerBlock(int width, int heads) {
        this.heads = heads;
        before = register("before", new LayerNorm(width));
        mixed = register("mixed", new Linear(width, 3L * width));
        joined = register("joined", new Linear(width, width));
        between = register("between", new LayerNorm(width));
        wide = register("wide", new Linear(width, 4L * width));
        narrow = register("narrow", new Linear(4L * width, width));
    }

    @Override
    public Tensor forward(Tensor input) {
        Tensor x = input.add(attention(before.forward(input)));
        return x.add(narrow.forward(wide.forward(between.forward(x)).gelu()));
    }

    private Tensor attention(Tensor x) {
        List<Tensor> parts = mixed.forward(x).chunk(3, -1);
        Tensor output = Functional.scaledDotProductAttention(
                        split(parts.get(0)), split(parts.get(1)), split(parts.get(2)), true)
                .output();
        return joined.forward(output.transpose(1, 2).flatten(2));
    }

    /** Reshapes {@code [batch, sequence, width]} to {@code [batch, heads, sequence, width / heads]}. */
    private Tensor split(Tensor part) {
        return part.unflatten(-1, heads, -1).transpose(1, 2);
    }
}
