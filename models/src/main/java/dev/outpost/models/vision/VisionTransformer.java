package dev.outpost.models.vision;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.models.architecture.Activations;
import dev.outpost.models.architecture.ModelConfig;
import dev.outpost.models.architecture.WeightLoader;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Init;
import dev.outpost.nn.LayerNorm;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Module;
import dev.outpost.nn.ModuleList;
import dev.outpost.nn.Parameter;
import dev.outpost.source.Source;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * ViT (Dosovitskiy et al., 2021): a transformer encoder over image patches, with norms before attention and feed-forward net.
 * The classification head is optional. Parameters have the names of transformers' files.
 *
 * <pre>{@code
 * try (var vit = VisionTransformer.load(machine, "hf://google/vit-base-patch16-224")) {
 *     Tensor scores = vit.logits(pixels);
 *     String best = vit.labels().get((int) scores.argmax(-1).item());
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class VisionTransformer extends Module implements AutoCloseable {
    private final ModelConfig config;
    private final int features;
    private final Body body;
    private final Linear classifier;

    private VisionTransformer(ModelConfig config, boolean hasHead) {
        this.config = config;
        this.features = config.integer("hidden_size");
        Activations.of(config, "hidden_act", "gelu");
        body = register("vit", new Body());
        classifier = hasHead ? register("classifier", new Linear(features, labels().size())) : null;
    }

    /** Loads a model in the dtype of the stored weights. Waits for the machine. */
    public static VisionTransformer load(RemoteMachine machine, String uri) {
        return load(machine.open(uri));
    }

    /** Loads a model from an open source, like {@link #load(RemoteMachine, String)}. */
    public static VisionTransformer load(Source source) {
        return load(source, null);
    }

    /**
     * Loads a model like {@link #load(Source)}, in another dtype.
     *
     * @param dtype the dtype that weights are cast to while they are read; null for the stored one
     */
    public static VisionTransformer load(Source source, @Nullable DType dtype) {
        ModelConfig config = ModelConfig.parse(source.uri(), source.text("config.json"));
        if (!config.modelType().equals("vit")) {
            throw new OutpostException(
                    FaultKind.USER,
                    source.uri() + ": the model type " + config.modelType()
                            + " is not known as a model of images; known are vit, and clip by Clip");
        }
        VisionTransformer model = new VisionTransformer(config, source.tensors().containsKey("classifier.weight"));
        WeightLoader.load(
                model,
                source,
                dtype == null ? WeightLoader.storedDType(source) : dtype,
                name -> name.startsWith("vit.") || name.startsWith("classifier.") ? name : "vit." + name,
                spare -> spare.startsWith("vit.pooler."));
        return model;
    }

    /** Returns the labels of the scores of {@link #logits}. */
    public List<String> labels() {
        List<String> labels = new ArrayList<>();
        var named = config.json().path("id2label");
        for (int label = 0; label < named.size(); label++) {
            labels.add(named.path(String.valueOf(label)).asText());
        }
        return labels;
    }

    /** Returns the width and height of images in pixels. */
    public int imageSize() {
        return config.integer("image_size");
    }

    /**
     * Returns a vector for the whole image, followed by one for each patch.
     *
     * @param pixels {@code [batch, channels, size, size]}, scaled according to the model's {@code
     *     preprocessor_config.json}
     * @return {@code [batch, 1 + patches, features]}
     */
    public Tensor hidden(Tensor pixels) {
        return GradMode.noGrad(() -> body.forward(pixels));
    }

    /** Returns the scores of the {@link #labels}, {@code [batch, labels]}. Fails if the model has no head. */
    public Tensor logits(Tensor pixels) {
        if (classifier == null) {
            throw new OutpostException(FaultKind.USER, config.name() + ": the model has no head that classifies");
        }
        return GradMode.noGrad(() -> Scope.tidy(
                () -> classifier.forward(body.forward(pixels).narrow(1, 0, 1).squeeze(1))));
    }

    private LayerNorm norm() {
        return new LayerNorm(Shape.of(features), config.real("layer_norm_eps", 1e-12), true);
    }

    private final class Body extends Module {
        private final Embeddings embeddings = register("embeddings", new Embeddings());
        private final List<Layer> layers = new ArrayList<>();
        private final LayerNorm norm;

        Body() {
            register("encoder", new Stack(layers));
            norm = register("layernorm", norm());
        }

        @Override
        public Tensor forward(Tensor pixels) {
            return Scope.tidy(() -> {
                Tensor x = embeddings.forward(pixels);
                for (Layer layer : layers) {
                    x = layer.forward(x);
                }
                return norm.forward(x);
            });
        }
    }

    /** A module without a computation, which adds a part to parameter names. */
    private final class Stack extends Module {
        Stack(List<Layer> layers) {
            for (int layer = 0; layer < config.integer("num_hidden_layers"); layer++) {
                layers.add(new Layer());
            }
            register("layer", new ModuleList<>(layers));
        }
    }

    private final class Embeddings extends Module {
        private final Parameter whole = parameter("cls_token", Init.zeros(), 1, 1, features);
        private final Parameter places;
        private final Projection projection;

        Embeddings() {
            long side = imageSize() / config.integer("patch_size");
            places = parameter("position_embeddings", Init.zeros(), 1, side * side + 1, features);
            projection = register("patch_embeddings", new Patches()).projection;
        }

        @Override
        public Tensor forward(Tensor pixels) {
            return Scope.tidy(() -> PatchEmbeddings.of(
                            pixels, imageSize(), projection.weight.tensor(), projection.bias.tensor(), whole.tensor())
                    .add(places.tensor()));
        }
    }

    private final class Patches extends Module {
        private final Projection projection = register("projection", new Projection());
    }

    private final class Projection extends Module {
        private final Parameter weight;
        private final Parameter bias;

        Projection() {
            long patch = config.integer("patch_size");
            weight = parameter("weight", Init.zeros(), features, config.integer("num_channels", 3), patch, patch);
            bias = parameter("bias", Init.zeros(), features);
        }
    }

    private final class Layer extends Module {
        private final AttentionBlock attention = register("attention", new AttentionBlock());
        private final LayerNorm before = register("layernorm_before", norm());
        private final LayerNorm between = register("layernorm_after", norm());
        private final Dense inner =
                register("intermediate", new Dense(features, config.integer("intermediate_size"), true));
        private final Dense outer = register("output", new Dense(config.integer("intermediate_size"), features, true));

        @Override
        public Tensor forward(Tensor x) {
            return Scope.tidy(() -> {
                Tensor attended = x.add(attention.forward(before.forward(x)));
                Tensor fed =
                        Activations.of(config, "hidden_act", "gelu").apply(inner.forward(between.forward(attended)));
                return attended.add(outer.forward(fed));
            });
        }
    }

    /** A linear layer with an additional part in its parameter names. */
    private static final class Dense extends Module {
        private final Linear dense;

        Dense(int in, int out, boolean hasBias) {
            dense = register("dense", new Linear(in, out, hasBias));
        }

        @Override
        public Tensor forward(Tensor x) {
            return dense.forward(x);
        }
    }

    private final class AttentionBlock extends Module {
        private final Heads heads = register("attention", new Heads());
        private final Dense output = register("output", new Dense(features, features, true));

        @Override
        public Tensor forward(Tensor x) {
            return output.forward(heads.forward(x));
        }
    }

    private final class Heads extends Module {
        private final boolean hasBias = config.flag("qkv_bias", true);
        private final Linear query = register("query", new Linear(features, features, hasBias));
        private final Linear key = register("key", new Linear(features, features, hasBias));
        private final Linear value = register("value", new Linear(features, features, hasBias));

        @Override
        public Tensor forward(Tensor x) {
            return Scope.tidy(() -> Functional.scaledDotProductAttention(
                            split(query.forward(x)), split(key.forward(x)), split(value.forward(x)), false)
                    .output()
                    .transpose(1, 2)
                    .reshape(x.size(0), x.size(1), features));
        }

        private Tensor split(Tensor x) {
            return x.reshape(x.size(0), x.size(1), config.integer("num_attention_heads"), -1)
                    .transpose(1, 2);
        }
    }

    /** Releases the weights. */
    @Override
    public void close() {
        WeightLoader.close(this);
    }
}
