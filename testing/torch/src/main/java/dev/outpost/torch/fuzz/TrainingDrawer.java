package dev.outpost.torch.fuzz;

import dev.outpost.HostTensor;
import dev.outpost.torch.Argument;
import dev.outpost.torch.fuzz.FuzzStatement.Backward;
import dev.outpost.torch.fuzz.FuzzStatement.Forward;
import dev.outpost.torch.fuzz.FuzzStatement.Invocation;
import dev.outpost.torch.fuzz.FuzzStatement.Layer;
import dev.outpost.torch.fuzz.FuzzStatement.Literal;
import dev.outpost.torch.fuzz.FuzzStatement.Step;
import dev.outpost.torch.fuzz.FuzzStatement.Training;
import dev.outpost.torch.fuzz.FuzzStatement.ZeroGrad;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Draws a training program: a few layers and a scale, a loss, an optimizer, some steps. */
final class TrainingDrawer {
    private final Random random;
    private final Literals literals;
    private final List<FuzzStatement> statements = new ArrayList<>();
    private final List<String> layers = new ArrayList<>();
    private final long batch;
    private int names;

    TrainingDrawer(Random random, Literals literals) {
        this.random = random;
        this.literals = literals;
        batch = 2 + random.nextInt(3);
    }

    List<FuzzStatement> program() {
        Literal input = input();
        long features = addLayers(input);
        Literal scale = literal(DType.FLOAT32, Shape.of(features), true);
        Literal target = target(features);
        String loss = target.value().dtype() == DType.INT64
                ? "nn.functional.cross_entropy"
                : oneOf(
                        "nn.functional.mse_loss",
                        "nn.functional.l1_loss",
                        "nn.functional.smooth_l1_loss",
                        "nn.functional.huber_loss");
        OptimizerKind kind = OptimizerKind.values()[random.nextInt(OptimizerKind.values().length)];
        String optimizer = add(new Training("o0", kind, settings(kind), layers, List.of(scale.name())))
                .name();
        for (int step = 2 + random.nextInt(2); step > 0; step--) {
            if (random.nextInt(4) > 0) {
                add(new ZeroGrad(optimizer));
            }
            addStep(input, scale, loss, target, optimizer);
        }
        return statements;
    }

    private <S extends FuzzStatement> S add(S statement) {
        statements.add(statement);
        return statement;
    }

    private String newName() {
        return "v" + names++;
    }

    private String oneOf(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private Literal literal(DType dtype, Shape shape, boolean requiresGrad) {
        return add(new Literal(newName(), literals.between(dtype, shape, -1, 1), requiresGrad));
    }

    // ---- before the first step

    private Literal input() {
        boolean isLookup = random.nextInt(4) == 0;
        return isLookup
                ? add(new Literal(newName(), literals.indices(DType.INT64, Shape.of(batch), 0, 4), false))
                : literal(DType.FLOAT32, Shape.of(batch, 2 + random.nextInt(4)), false);
    }

    /** Returns the number of output features. */
    private long addLayers(Literal input) {
        boolean isLookup = input.value().dtype() == DType.INT64;
        long features = isLookup ? 3 : input.value().shape().size(1);
        if (isLookup) {
            addLayer(LayerKind.EMBEDDING, List.of(4L, features), Map.of("weight", Shape.of(4, features)));
        }
        for (int more = 1 + random.nextInt(3); more > 0; more--) {
            features = addLayer(features);
        }
        return features;
    }

    private long addLayer(long features) {
        Shape each = Shape.of(features);
        long next = 2 + random.nextInt(3);
        return switch (random.nextInt(6)) {
            case 0 -> addLayer(LayerKind.LAYER_NORM, List.of(features), features, Map.of("weight", each, "bias", each));
            case 1 -> addLayer(LayerKind.BATCH_NORM, List.of(features), features, Map.of());
            case 2 -> addLayer(activation(), List.of(), features, Map.of());
            default ->
                addLayer(
                        LayerKind.LINEAR,
                        List.of(features, next),
                        next,
                        Map.of("weight", Shape.of(next, features), "bias", Shape.of(next)));
        };
    }

    private LayerKind activation() {
        LayerKind[] kinds = {LayerKind.RELU, LayerKind.TANH, LayerKind.GELU, LayerKind.SILU, LayerKind.SOFTPLUS};
        return kinds[random.nextInt(kinds.length)];
    }

    private long addLayer(LayerKind kind, List<Long> sizes, long features, Map<String, Shape> state) {
        addLayer(kind, sizes, state);
        return features;
    }

    private void addLayer(LayerKind kind, List<Long> sizes, Map<String, Shape> shapes) {
        Map<String, HostTensor> state = new LinkedHashMap<>();
        shapes.keySet().stream()
                .sorted()
                .forEach(name -> state.put(name, literals.between(DType.FLOAT32, shapes.get(name), -1, 1)));
        layers.add(add(new Layer("m" + layers.size(), kind, sizes, state, random.nextInt(5) > 0))
                .name());
    }

    private Literal target(long features) {
        return random.nextBoolean()
                ? add(new Literal(newName(), literals.indices(DType.INT64, Shape.of(batch), 0, features), false))
                : literal(DType.FLOAT32, Shape.of(batch, features), false);
    }

    private Map<String, Argument> settings(OptimizerKind kind) {
        Map<String, Argument> settings = new LinkedHashMap<>();
        settings.put("lr", Draft.argument(random.nextBoolean() ? 0.125 : 0.01));
        switch (kind) {
            case SGD -> {
                maybe(settings, "momentum", 0.9);
                maybe(settings, "weight_decay", 0.125);
                if (settings.containsKey("momentum") && random.nextBoolean()) {
                    maybe(settings, "nesterov", true);
                } else {
                    maybe(settings, "dampening", 0.25);
                }
            }
            case ADAM, ADAMW -> {
                maybe(settings, "weight_decay", 0.125);
                maybe(settings, "amsgrad", true);
            }
            case RMSPROP -> {
                maybe(settings, "alpha", 0.75);
                maybe(settings, "momentum", 0.5);
                maybe(settings, "centered", true);
                maybe(settings, "weight_decay", 0.125);
            }
            case ADAGRAD -> {
                maybe(settings, "lr_decay", 0.25);
                maybe(settings, "weight_decay", 0.125);
            }
        }
        return settings;
    }

    private void maybe(Map<String, Argument> settings, String name, Object value) {
        if (random.nextBoolean()) {
            settings.put(name, Draft.argument(value));
        }
    }

    // ---- a step

    private void addStep(Literal input, Literal scale, String lossOp, Literal target, String optimizer) {
        String value = input.name();
        for (String layer : layers) {
            value = add(new Forward(newName(), layer, value)).name();
        }
        String scaled = call("mul", Draft.of(variable(value), variable(scale.name())));
        String loss = call(lossOp, Draft.of(variable(scaled), variable(target.name())));
        add(new Backward(loss, Optional.empty(), false));
        add(new Step(optimizer));
    }

    private static Argument variable(String name) {
        return new Argument.TensorArgument(name, false);
    }

    private String call(String op, Draft draft) {
        Invocation call = draft.call(newName(), op, false);
        return add(call).name();
    }
}
