package dev.outpost.models.lora;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.autograd.GradMode;
import dev.outpost.models.CausalLM;
import dev.outpost.models.RowAdapters;
import dev.outpost.nn.Module;
import dev.outpost.source.Source;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Trained adapters of one model that are computed in one batch. Each row uses its adapter.
 *
 * <p>The first factors of all adapters on a layer are concatenated, and so are the second ones, so two products serve
 * all rows. Between the products, the elements of other adapters than the row's are set to 0. For a row without an
 * adapter, 0 is added, so its result has the same bits as without adapters. Not thread-safe.
 */
public final class AdapterSet implements RowAdapters {
    /** The concatenated adapters of one layer. */
    private record Stack(Tensor down, Tensor up, Tensor owners) {
        List<Tensor> tensors() {
            return List.of(down, up, owners);
        }

        /**
         * Returns the addition to the layer's output.
         *
         * @param numbers the adapter of each row, {@code [rows]}
         * @param input {@code [rows, ..., inFeatures]}
         */
        Tensor change(Tensor numbers, Tensor input) {
            long[] ofRow = new long[input.shape().rank()];
            Arrays.fill(ofRow, 1);
            ofRow[0] = -1;
            Tensor isOwn = numbers.reshape(ofRow).eq(owners);
            Tensor narrow = input.to(down.dtype()).matmul(down.transpose(0, 1));
            Tensor own = Tensors.where(isOwn, narrow, narrow.zerosLike());
            return own.matmul(up.transpose(0, 1)).to(input.dtype());
        }
    }

    private final int count;
    private final List<Stack> stacks = new ArrayList<>();
    private final List<Runnable> hooks = new ArrayList<>();
    private @Nullable Tensor numbers;

    private AdapterSet(int count) {
        this.count = count;
    }

    /**
     * Loads adapters in PEFT's layout, and attaches them to a model. The first adapter has the number 1. Waits for the machine.
     *
     * @param sources open sources on the model's machine
     */
    public static AdapterSet load(CausalLM model, List<Source> sources) {
        AdapterSet set = new AdapterSet(sources.size());
        Map<String, List<Part>> parts = new LinkedHashMap<>();
        List<LoraAdapter> adapters = new ArrayList<>();
        try {
            for (Source source : sources) {
                LoraAdapter adapter = PeftFiles.load(model, source);
                adapters.add(adapter);
                requireFinite(adapter, source.uri());
                adapter.layers()
                        .forEach((name, layer) -> parts.computeIfAbsent(name, first -> new ArrayList<>())
                                .add(new Part(adapters.size(), layer)));
            }
            Map<String, Module> modules = model.module().namedModules();
            GradMode.noGrad(
                    () -> parts.forEach((name, ofLayer) -> set.put(model.machine(), modules.get(name), ofLayer)));
        } finally {
            for (LoraAdapter adapter : adapters) {
                adapter.close();
                adapter.parameters().forEach(parameter -> parameter.tensor().close());
            }
        }
        return set;
    }

    private record Part(int number, LoraLayer layer) {}

    /** Fails if a weight is not finite: rows are separated by zeros, and 0 times infinity would reach other rows. */
    private static void requireFinite(LoraAdapter adapter, String uri) {
        for (LoraLayer layer : adapter.layers().values()) {
            try (Tensor isFinite = Scope.tidy(() -> layer.up()
                    .isfinite()
                    .all()
                    .logicalAnd(layer.down().isfinite().all()))) {
                if (!isFinite.toBooleanArray()[0]) {
                    throw new OutpostException(
                            FaultKind.USER, "lora: " + uri + " has weights that are not finite; it cannot be served");
                }
            }
        }
    }

    private void put(RemoteMachine machine, Module module, List<Part> parts) {
        Stack stack = machine.unscoped(() -> Scope.tidy(() -> stacked(machine, parts), Stack::tensors));
        stacks.add(stack);
        hooks.add(module.registerForwardHook((hooked, input, output) ->
                numbers == null ? null : Scope.tidy(() -> output.add(stack.change(numbers, input)))));
    }

    private static Stack stacked(RemoteMachine machine, List<Part> parts) {
        List<Tensor> downs = new ArrayList<>();
        List<Tensor> ups = new ArrayList<>();
        List<Long> owners = new ArrayList<>();
        for (Part part : parts) {
            downs.add(part.layer.down());
            ups.add(part.layer.up().mul(part.layer.scale()));
            owners.addAll(Collections.nCopies(Math.toIntExact(part.layer.down().size(0)), (long) part.number));
        }
        long[] ofColumn = owners.stream().mapToLong(Long::longValue).toArray();
        return new Stack(Tensors.cat(downs, 0), Tensors.cat(ups, 1), machine.tensor(ofColumn, ofColumn.length));
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public Tensor with(Tensor ofRows, Supplier<Tensor> call) {
        numbers = ofRows;
        try {
            return call.get();
        } finally {
            numbers = null;
        }
    }

    @Override
    public void close() {
        hooks.forEach(Runnable::run);
        hooks.clear();
        stacks.forEach(stack -> stack.tensors().forEach(Tensor::close));
        stacks.clear();
    }
}
