package dev.outpost.bench.peers.workload;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.ndarray.types.SparseFormat;
import ai.djl.nn.Activation;
import ai.djl.nn.core.Embedding;
import java.util.Map;
import java.util.function.BiFunction;

/** The computation of {@link TransformerModel} with DJL. */
final class DjlTransformer implements BiFunction<Map<String, NDArray>, NDArray, NDArray> {
    private final TransformerSizes sizes;
    private final NDArray future;
    /**
     * The divisor of scores. It must be an array that stays alive: DJL frees the array of a Java number after the division,
     * but the gradient still reads it.
     */
    private final NDArray scale;

    DjlTransformer(NDManager manager, TransformerSizes sizes) {
        this.sizes = sizes;
        scale = manager.create((float) Math.sqrt((double) sizes.width() / sizes.heads()));
        future = manager.create(future(sizes.sequence()), new Shape(sizes.sequence(), sizes.sequence()));
    }

    /** Returns the causal mask that is added to scores: zero for the past, minus infinity for the future. */
    private static float[] future(int sequence) {
        float[] mask = new float[sequence * sequence];
        for (int index = 0; index < mask.length; index++) {
            mask[index] = index % sequence > index / sequence ? Float.NEGATIVE_INFINITY : 0;
        }
        return mask;
    }

    @Override
    public NDArray apply(Map<String, NDArray> weights, NDArray input) {
        NDArray x = Embedding.embedding(input, weights.get("tokens.weight"), SparseFormat.DENSE)
                .singletonOrThrow()
                .add(weights.get("positions"));
        for (int layer = 0; layer < sizes.layers(); layer++) {
            x = block(x, weights, "blocks." + layer + ".");
        }
        NDArray scores = DjlLayers.linear(DjlLayers.layerNorm(x, weights, "norm"), weights, "head");
        return scores.reshape(-1, sizes.vocabulary());
    }

    private NDArray block(NDArray input, Map<String, NDArray> weights, String block) {
        NDArray x = input.add(attention(DjlLayers.layerNorm(input, weights, block + "before"), weights, block));
        NDArray wide = DjlLayers.linear(DjlLayers.layerNorm(x, weights, block + "between"), weights, block + "wide");
        return x.add(DjlLayers.linear(Activation.gelu(wide), weights, block + "narrow"));
    }

    private NDArray attention(NDArray x, Map<String, NDArray> weights, String block) {
        NDList parts = DjlLayers.linear(x, weights, block + "mixed").split(3, 2);
        NDArray query = split(parts.get(0)).div(scale);
        NDArray scores = query.matMul(split(parts.get(1)).transpose(0, 1, 3, 2)).add(future);
        NDArray output = scores.softmax(-1).matMul(split(parts.get(2)));
        return DjlLayers.linear(output.transpose(0, 2, 1, 3).reshape(x.getShape()), weights, block + "joined");
    }

    private NDArray split(NDArray part) {
        Shape shape = part.getShape();
        return part.reshape(shape.get(0), shape.get(1), sizes.heads(), shape.get(2) / sizes.heads())
                .transpose(0, 2, 1, 3);
    }
}
