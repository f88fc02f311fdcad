package dev.outpost.nn.summary;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.text.ByteUnits;
import dev.outpost.nn.Module;
import dev.outpost.nn.ModuleTensor;
import dev.outpost.nn.Parameter;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The layers of a module with the shapes of their outputs, their parameters and memory, from one pass of an example.
 *
 * {@snippet file="DataExamplesTest.java" region="summary"}
 *
 * <p>The pass runs in evaluation mode without gradients, and nothing of the module changes. The output of a module is known if it is called by
 * {@link Module#call}, as containers do; a module that another one calls by its own {@code forward} has a dash.
 */
public final class ModuleSummary {
    private static final int NAME_WIDTH = 40;
    private static final int WIDTH = 96;

    private final List<LayerSummary> layers = new ArrayList<>();
    private final long parameters;
    private final long trainable;
    private final long bytes;

    private ModuleSummary(Module module, Map<Module, Shape> outputs, Map<Module, Long> outputBytes) {
        Map<ModuleTensor, Boolean> counted = new IdentityHashMap<>();
        add(module, "", 0, outputs, outputBytes, counted);
        List<Parameter> all = module.parameters();
        parameters = all.stream().mapToLong(ModuleSummary::elements).sum();
        trainable = all.stream()
                .filter(Parameter::requiresGrad)
                .mapToLong(ModuleSummary::elements)
                .sum();
        bytes = layers.stream().mapToLong(LayerSummary::bytes).sum();
    }

    /**
     * Passes an example through a module.
     *
     * @param example an input of {@link Module#forward}, on the module's machine
     */
    public static ModuleSummary of(Module module, Tensor example) {
        ArgumentChecks.required(example, "the example");
        return of(module, () -> module.call(example));
    }

    /**
     * Like {@link #of(Module, Tensor)}, for a module with several inputs.
     *
     * @param pass calls the module
     */
    public static ModuleSummary of(Module module, Runnable pass) {
        ArgumentChecks.required(module, "the module");
        Map<Module, Shape> outputs = new IdentityHashMap<>();
        Map<Module, Long> outputBytes = new IdentityHashMap<>();
        Map<Module, Boolean> modes = new IdentityHashMap<>();
        List<Runnable> removals = new ArrayList<>();
        for (Module each : module.modules()) {
            modes.put(each, each.isTraining());
            removals.add(each.registerForwardHook((called, input, output) -> {
                outputs.put(called, output.shape());
                outputBytes.merge(called, output.numel() * output.dtype().bytes(), Long::sum);
                return null;
            }));
        }
        try {
            module.eval();
            GradMode.noGrad(() -> Scope.tidy(
                    () -> {
                        pass.run();
                        return true;
                    },
                    done -> List.of()));
        } finally {
            removals.forEach(Runnable::run);
            restore(modes);
        }
        return new ModuleSummary(module, outputs, outputBytes);
    }

    /** Restores the modes. A module sets the modes of all modules inside, so those around others come first. */
    private static void restore(Map<Module, Boolean> modes) {
        List<Module> outerFirst = new ArrayList<>(modes.keySet());
        outerFirst.sort(
                Comparator.comparingInt((Module each) -> each.modules().size()).reversed());
        outerFirst.forEach(each -> each.train(modes.get(each)));
    }

    private void add(
            Module module,
            String name,
            int depth,
            Map<Module, Shape> outputs,
            Map<Module, Long> outputBytes,
            Map<ModuleTensor, Boolean> counted) {
        long own = 0;
        long ownBytes = 0;
        List<ModuleTensor> tensors = new ArrayList<>(module.parameters());
        tensors.addAll(module.buffers());
        List<ModuleTensor> inside = new ArrayList<>();
        for (Module child : module.children()) {
            inside.addAll(child.parameters());
            inside.addAll(child.buffers());
        }
        for (ModuleTensor tensor : tensors) {
            boolean isInside = inside.stream().anyMatch(other -> other == tensor);
            if (!isInside && counted.put(tensor, true) == null) {
                own += tensor instanceof Parameter ? elements(tensor) : 0;
                ownBytes += elements(tensor) * tensor.dtype().bytes();
            }
        }
        layers.add(new LayerSummary(
                name,
                module.getClass().getSimpleName(),
                depth,
                Optional.ofNullable(outputs.get(module)),
                own,
                ownBytes,
                module.children().isEmpty() ? outputBytes.getOrDefault(module, 0L) : 0));
        module.namedChildren()
                .forEach((key, child) ->
                        add(child, name.isEmpty() ? key : name + "." + key, depth + 1, outputs, outputBytes, counted));
    }

    private static long elements(ModuleTensor tensor) {
        return tensor.shape().elements();
    }

    /** Returns the module and all modules inside, each after the one around it. */
    public List<LayerSummary> layers() {
        return List.copyOf(layers);
    }

    /** Returns the number of elements of all parameters, shared ones once. */
    public long parameters() {
        return parameters;
    }

    /** Returns the number of elements of the parameters that require gradients. */
    public long trainable() {
        return trainable;
    }

    /** Returns the bytes of parameters and buffers. */
    public long bytes() {
        return bytes;
    }

    /** Returns the bytes of the outputs of all layers without modules inside: about what a training step keeps for its gradients. */
    public long outputBytes() {
        return layers.stream().mapToLong(LayerSummary::outputBytes).sum();
    }

    /** Returns the table as text. */
    @Override
    public String toString() {
        String rule = "=".repeat(WIDTH) + "\n";
        StringBuilder text = new StringBuilder(rule);
        text.append(row("Layer (type)", "Output shape", "Param #", "Memory")).append(rule);
        for (LayerSummary layer : layers) {
            String last = layer.name().substring(layer.name().lastIndexOf('.') + 1);
            String label = "  ".repeat(layer.depth()) + (last.isEmpty() ? "" : "(" + last + "): ") + layer.type();
            text.append(row(
                    label.length() > NAME_WIDTH ? label.substring(0, NAME_WIDTH - 1) + "…" : label,
                    layer.output().map(Shape::toString).orElse("-"),
                    layer.parameters() == 0 ? "-" : String.format(Locale.ROOT, "%,d", layer.parameters()),
                    layer.bytes() == 0 ? "-" : ByteUnits.text(layer.bytes())));
        }
        text.append(rule);
        text.append(String.format(
                Locale.ROOT,
                "Parameters: %,d, of which %,d are trained%nMemory: %s of parameters and buffers, %s of outputs%n",
                parameters,
                trainable,
                ByteUnits.text(bytes),
                ByteUnits.text(outputBytes())));
        return text.append("=".repeat(WIDTH)).toString().replace(System.lineSeparator(), "\n");
    }

    private static String row(String name, String shape, String parameters, String memory) {
        return String.format(Locale.ROOT, "%-" + NAME_WIDTH + "s  %-24s %14s %12s", name, shape, parameters, memory)
                        .stripTrailing()
                + "\n";
    }
}
