package dev.outpost.system.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.io.Safetensors;
import dev.outpost.nn.Module;
import dev.outpost.nn.ModuleTensor;
import dev.outpost.nn.Parameter;
import dev.outpost.system.Closeness;
import dev.outpost.types.DType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The tensors that PyTorch computed, in the format of src/test/python/make_torch_fixtures.py, which describes it.
 */
public final class TorchFixture {
    private final SequencedMap<String, HostTensor> tensors;

    private TorchFixture(SequencedMap<String, HostTensor> tensors) {
        this.tensors = tensors;
    }

    /** A family of cases. */
    public static TorchFixture of(String family) {
        try {
            Path file = Path.of(TorchFixture.class
                    .getResource("/torch/" + family + ".safetensors")
                    .toURI());
            return new TorchFixture(Safetensors.read(file));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The names of all cases. */
    public Stream<String> cases() {
        return new TreeSet<>(tensors.keySet().stream()
                        .map(name -> name.split("/")[0])
                        .toList())
                .stream();
    }

    /** The tensors under a prefix, by the rest of the name. */
    public SequencedMap<String, HostTensor> part(String prefix) {
        SequencedMap<String, HostTensor> part = new LinkedHashMap<>();
        tensors.forEach((name, values) -> {
            if (name.startsWith(prefix)) {
                part.put(name.substring(prefix.length()), values);
            }
        });
        return part;
    }

    /** A tensor by its whole name. */
    public HostTensor get(String name) {
        return assertNotNullNamed(name, tensors.get(name));
    }

    private static HostTensor assertNotNullNamed(String name, HostTensor values) {
        assertNotNull(values, name);
        return values;
    }

    /** The inputs of a case on a machine; floating ones require gradients. */
    public List<Tensor> inputs(String name, RemoteMachine machine) {
        List<Tensor> inputs = new ArrayList<>();
        part(name + "/in/").forEach((index, values) -> {
            Tensor input = machine.tensor(values);
            inputs.add(input.dtype().isFloating() ? input.requiresGrad(true) : input);
        });
        return inputs;
    }

    /** A module in float64 with the state of a case. */
    public <M extends Module> M load(String name, M module, RemoteMachine machine) {
        module.to(DType.FLOAT64);
        module.loadStateDict(part(name + "/state/"));
        module.to(machine);
        return module;
    }

    /** Compares outputs, gradients of inputs and parameters, and buffers afterwards. */
    public void check(String name, Module module, RemoteMachine machine, Function<List<Tensor>, List<Tensor>> forward) {
        List<Tensor> inputs = inputs(name, machine);
        load(name, module, machine);
        checkOutputs(name, machine, inputs, forward.apply(inputs));
        Map<String, Parameter> parameters = module.namedParameters();
        part(name + "/grad/state/")
                .forEach((key, expected) -> assertClose(
                        name + " gradient of " + key,
                        expected,
                        parameters.get(key).grad()));
        Map<String, ? extends ModuleTensor> buffers = module.namedBuffers();
        part(name + "/after/")
                .forEach((key, expected) -> assertClose(
                        name + " " + key + " afterwards",
                        expected,
                        buffers.get(key).tensor()));
    }

    /** Does the same as {@link #check} for a function without state. */
    public void check(String name, RemoteMachine machine, Function<List<Tensor>, List<Tensor>> forward) {
        List<Tensor> inputs = inputs(name, machine);
        checkOutputs(name, machine, inputs, forward.apply(inputs));
    }

    private void checkOutputs(String name, RemoteMachine machine, List<Tensor> inputs, List<Tensor> outputs) {
        Map<String, HostTensor> expected = part(name + "/out/");
        assertFalse(expected.isEmpty(), "no case " + name);
        assertEquals(expected.size(), outputs.size(), name + ": outputs");
        Tensor loss = machine.zeros(DType.FLOAT64);
        for (int index = 0; index < outputs.size(); index++) {
            Tensor output = outputs.get(index);
            assertClose(name + " output " + index, expected.get(Integer.toString(index)), output);
            if (output.requiresGrad()) {
                Tensor weights = machine.arange(0, output.numel(), 1, DType.FLOAT64)
                        .cos()
                        .reshape(output.shape());
                loss = loss.add(output.mul(weights).sum());
            }
        }
        if (loss.requiresGrad()) {
            loss.backward();
        }
        part(name + "/grad/in/")
                .forEach((index, values) -> assertClose(
                        name + " gradient of input " + index,
                        values,
                        inputs.get(Integer.parseInt(index)).grad()));
    }

    /** Fails unless shapes are equal and elements within the tolerance of the dtype. */
    public static void assertClose(String what, HostTensor expected, Tensor actual) {
        assertNotNull(actual, what);
        assertEquals(expected.shape(), actual.shape(), what);
        try {
            Closeness.assertClose(expected.toDoubleArray(), actual);
        } catch (AssertionError failure) {
            throw new AssertionError(what + ": " + failure.getMessage(), failure);
        }
    }
}
