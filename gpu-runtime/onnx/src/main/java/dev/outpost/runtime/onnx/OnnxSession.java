package dev.outpost.runtime.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.RunOptions;
import dev.outpost.runtime.model.ModelValue;
import dev.outpost.runtime.model.OpenModel;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OpException;
import dev.outpost.types.OutpostException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** An open model. It writes its outputs to the caller's buffers. */
final class OnnxSession implements OpenModel {
    private final OrtEnvironment environment;
    private final OrtSession session;
    /** The weights that the session reads. */
    private final List<OnnxTensor> weights;

    OnnxSession(OrtEnvironment environment, OrtSession session, List<OnnxTensor> weights) {
        this.environment = environment;
        this.session = session;
        this.weights = weights;
    }

    @Override
    public void run(List<ModelValue> inputs, List<ModelValue> outputs, BooleanSupplier isStopped) {
        requireCount("inputs", session.getInputNames(), inputs.size());
        requireCount("outputs", session.getOutputNames(), outputs.size());
        Map<String, OnnxTensor> given = new LinkedHashMap<>();
        Map<String, OnnxTensor> made = new LinkedHashMap<>();
        try (RunOptions options = new RunOptions();
                StopWatcher watcher = StopWatcher.start(isStopped, () -> terminate(options), () -> {})) {
            bind(session.getInputNames(), inputs, given);
            bind(session.getOutputNames(), outputs, made);
            session.run(given, Set.of(), made, options).close();
        } catch (OrtException failure) {
            if (isStopped.getAsBoolean()) {
                throw new OutpostException(
                        FaultKind.RESOURCES, "model_call: the run was stopped at its time limit", failure);
            }
            throw OnnxFaults.of("model_call", failure);
        } finally {
            given.values().forEach(OnnxTensor::close);
            made.values().forEach(OnnxTensor::close);
        }
    }

    private static void terminate(RunOptions options) {
        try {
            options.setTerminate(true);
        } catch (OrtException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static void requireCount(String what, Set<String> names, int got) {
        if (names.size() != got) {
            throw new OpException("model_call", "the model has the " + what + " " + names + ", got " + got);
        }
    }

    private void bind(Set<String> names, List<ModelValue> values, Map<String, OnnxTensor> target) throws OrtException {
        int place = 0;
        for (String name : names) {
            target.put(name, OnnxValues.tensor(environment, values.get(place++)));
        }
    }

    @Override
    public void close() {
        try {
            session.close();
        } catch (OrtException impossible) {
            throw new IllegalStateException(impossible);
        } finally {
            weights.forEach(OnnxTensor::close);
        }
    }
}
