package dev.outpost.bench.peers.workload;

import dev.outpost.Tensor;
import dev.outpost.examples.TransformerBlock;
import dev.outpost.nn.Embedding;
import dev.outpost.nn.Init;
import dev.outpost.nn.LayerNorm;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Module;
import dev.outpost.nn.ModuleList;
import dev.outpost.nn.Parameter;
import java.util.List;

/** A small language model of Outpost's modules, with norms before each part (as GPT-2). */
final class TransformerModel extends Module {
    private final Embedding tokens;
    private final Parameter positions;
    private final ModuleList<TransformerBlock> blocks;
    private final LayerNorm norm;
    private final Linear head;

    TransformerModel(TransformerSizes sizes) {
        tokens = register("tokens", new Embedding(sizes.vocabulary(), sizes.width()));
        positions = parameter("positions", Init.zeros(), sizes.sequence(), sizes.width());
        blocks = register("blocks", new ModuleList<TransformerBlock>(List.of()));
        for (int layer = 0; layer < sizes.layers(); layer++) {
            blocks.add(new TransformerBlock(sizes.width(), sizes.heads()));
        }
        norm = register("norm", new LayerNorm(sizes.width()));
        head = register("head", new Linear(sizes.width(), sizes.vocabulary()));
    }

    /** Maps {@code [batch, sequence]} to the scores of the next token, {@code [batch · sequence, vocabulary]}. */
    @Override
    public Tensor forward(Tensor input) {
        Tensor x = tokens.forward(input).add(positions.tensor());
        for (TransformerBlock block : blocks) {
            x = block.forward(x);
        }
        return head.forward(norm.forward(x)).flatten(0, 1);
    }
}
