package dev.outpost.models.lora;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tracing;
import dev.outpost.autograd.GradMode;
import dev.outpost.models.architecture.AdaptableLayer;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Module;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * Low-rank changes of a model's layers that are trained while the layers stay fixed (LoRA; Hu et al., 2021). It is a separate
 * module, with parameters such as {@code model.layers.0.self_attn.q_proj.lora_A.weight}. A model can have several; the
 * changes of enabled ones are added.
 *
 * <pre>{@code
 * LoraAdapter adapter = LoraAdapter.on(llm.module(), LoraConfig.rank(8).targets("q_proj", "v_proj"));
 * AdamW optimizer = new AdamW(adapter.parameters(), 1e-3);
 * }</pre>
 *
 * <p>Not thread-safe.
 */
public final class LoraAdapter extends Module implements AutoCloseable {
    /** A part of a dotted name. */
    private static final class Branch extends Module {
        private Branch child(String name) {
            return namedChildren().get(name) instanceof Branch branch ? branch : register(name, new Branch());
        }

        private void add(String name, LoraLayer layer) {
            register(name, layer);
        }
    }

    private final LoraConfig config;
    private final Module base;
    private final SequencedMap<String, LoraLayer> layers = new LinkedHashMap<>();
    private final SequencedMap<String, Module> adapted = new LinkedHashMap<>();
    private final List<Runnable> hooks = new ArrayList<>();
    private boolean isEnabled = true;

    private LoraAdapter(Module base, LoraConfig config) {
        this.base = base;
        this.config = config;
    }

    /**
     * Attaches an adapter to a model, on the machine of the model if it has one. The model's own parameters are no longer
     * trained. Programs that are traced later include the adapter, so attach it before the model generates.
     *
     * {@snippet file="ModelExamplesTest.java" region="lora"}
     */
    public static LoraAdapter on(Module base, LoraConfig config) {
        LoraAdapter adapter = new LoraAdapter(base, config);
        base.namedModules().forEach((name, module) -> {
            if (isAdaptable(module)
                    && config.isTarget(name)
                    && (!config.targets().isEmpty() || !isHead(name))) {
                adapter.adapt(name, module);
            }
        });
        if (adapter.layers.isEmpty()) {
            throw new OutpostException(
                    FaultKind.USER,
                    "lora: no layer is called " + String.join(" or ", config.targets()) + "; there are "
                            + String.join(", ", adaptable(base)));
        }
        base.requiresGrad(false);
        adapter.train(base.isTraining());
        base.parameters().stream()
                .filter(parameter -> parameter.isPlaced())
                .findFirst()
                .ifPresent(parameter -> adapter.to(parameter.tensor().machine()));
        return adapter;
    }

    private static boolean isAdaptable(Module module) {
        return module instanceof Linear || module instanceof AdaptableLayer;
    }

    /** True for the head, which PEFT does not adapt either. */
    private static boolean isHead(String name) {
        return name.equals("lm_head") || name.equals("embed_out");
    }

    /** Returns the last name parts of all layers that can be adapted. */
    private static List<String> adaptable(Module base) {
        return base.namedModules().entrySet().stream()
                .filter(entry -> isAdaptable(entry.getValue()))
                .map(entry -> entry.getKey().substring(entry.getKey().lastIndexOf('.') + 1))
                .distinct()
                .sorted()
                .toList();
    }

    private void adapt(String name, Module module) {
        LoraLayer layer = switch (module) {
            case Linear linear ->
                new LoraLayer(
                        linear.weight().shape().size(1), linear.weight().shape().size(0), config);
            case AdaptableLayer other -> new LoraLayer(other.inFeatures(), other.outFeatures(), config);
            default -> throw new IllegalStateException(name + " cannot be adapted");
        };
        insert(name, layer);
        layers.put(name, layer);
        adapted.put(name, module);
        hooks.add(module.registerForwardHook((hooked, input, output) -> added(layer, input, output)));
    }

    private void insert(String name, LoraLayer layer) {
        String[] parts = name.split("\\.");
        if (parts.length == 1) {
            register(name, layer);
            return;
        }
        Branch branch =
                namedChildren().get(parts[0]) instanceof Branch known ? known : register(parts[0], new Branch());
        for (int part = 1; part < parts.length - 1; part++) {
            branch = branch.child(parts[part]);
        }
        branch.add(parts[parts.length - 1], layer);
    }

    private Tensor added(LoraLayer layer, Tensor input, Tensor output) {
        return isEnabled() ? Scope.tidy(() -> output.add(layer.forward(input))) : null;
    }

    public LoraConfig config() {
        return config;
    }

    /** Returns the additions by the name of their layer in the model. */
    public SequencedMap<String, LoraLayer> layers() {
        return Collections.unmodifiableSequencedMap(layers);
    }

    /** True if the adapter is added to the outputs of the layers. */
    public boolean isEnabled() {
        Tracing.assume(this, () -> isEnabled);
        return isEnabled;
    }

    /** Enables or disables the adapter. Programs that are called later follow the setting. */
    public LoraAdapter enabled(boolean enabled) {
        isEnabled = enabled;
        return this;
    }

    /**
     * Merges the adapter into the model's own weights, and detaches it. The model computes the same within rounding,
     * and as fast as without an adapter.
     */
    public void merge() {
        requireOn();
        GradMode.noGrad(() -> adapted.forEach((name, module) -> {
            try (Tensor change = layers.get(name).weight()) {
                add(module, change);
            }
        }));
        close();
    }

    private static void add(Module module, Tensor change) {
        switch (module) {
            // The sum is computed in the wider of the two dtypes.
            case Linear linear -> linear.weight().tensor().add_(change);
            case AdaptableLayer other -> other.addToWeight(change);
            default -> throw new IllegalStateException(module + " cannot be adapted");
        }
    }

    private void requireOn() {
        if (hooks.isEmpty()) {
            throw new OutpostException(FaultKind.USER, "lora: the adapter is on no model any more");
        }
    }

    /** Returns the model that the adapter is attached to. */
    public Module base() {
        return base;
    }

    /** Returns the machine of the adapter's parameters. */
    public RemoteMachine machine() {
        return layers.firstEntry().getValue().up().machine();
    }

    /** Detaches the adapter from the model. Its parameters stay. */
    @Override
    public void close() {
        hooks.forEach(Runnable::run);
        hooks.clear();
    }
}
