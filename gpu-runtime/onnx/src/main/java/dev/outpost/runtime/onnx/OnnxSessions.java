package dev.outpost.runtime.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxTensorLike;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtProvider;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.OrtSession.SessionOptions.OptLevel;
import dev.outpost.runtime.model.ModelOptions;
import dev.outpost.runtime.model.ModelValue;
import dev.outpost.runtime.model.OpenModel;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Opens models in this process. */
final class OnnxSessions {
    private OnnxSessions() {}

    /**
     * Opens a model.
     *
     * @param model its bytes, in a direct buffer that lives as long as the model
     * @param weights the weights outside of the model, by name; they live as long as the model
     */
    static OpenModel open(ByteBuffer model, Map<String, ModelValue> weights, ModelOptions options) {
        OrtEnvironment environment = OrtEnvironment.getEnvironment(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL, "outpost");
        List<OnnxTensor> held = new ArrayList<>();
        boolean isDone = false;
        try (SessionOptions settings = settings(options)) {
            Map<String, OnnxTensorLike> outside = new HashMap<>();
            for (Map.Entry<String, ModelValue> weight : weights.entrySet()) {
                OnnxTensor tensor = OnnxValues.tensor(environment, weight.getValue());
                held.add(tensor);
                outside.put(weight.getKey(), tensor);
            }
            if (!outside.isEmpty()) {
                settings.addExternalInitializers(outside);
            }
            OrtSession session = environment.createSession(model, settings);
            isDone = true;
            return new OnnxSession(environment, session, held);
        } catch (OrtException failure) {
            throw OnnxFaults.of("model_open", failure);
        } finally {
            if (!isDone) {
                held.forEach(OnnxTensor::close);
            }
        }
    }

    private static SessionOptions settings(ModelOptions options) throws OrtException {
        SessionOptions settings = new SessionOptions();
        settings.setOptimizationLevel(options.isOptimized() ? OptLevel.ALL_OPT : OptLevel.NO_OPT);
        settings.setDeterministicCompute(true);
        settings.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
        // Fixes the format: the checks do not cover ONNX Runtime's own format.
        settings.addConfigEntry("session.load_model_format", "ONNX");
        // A kept arena would hold the largest intermediate values of each model forever.
        settings.addConfigEntry("session.use_env_allocators", "0");
        // Spinning threads would take processor time from the transfers between runs.
        settings.addConfigEntry("session.force_spinning_stop", "1");
        if (options.isOnGpu()) {
            requireGpu();
            settings.addCUDA();
        }
        return settings;
    }

    private static void requireGpu() {
        if (!OrtEnvironment.getAvailableProviders().contains(OrtProvider.CUDA)) {
            throw new OutpostException(
                    FaultKind.USER,
                    "model_open: this machine computes on a GPU, but its ONNX Runtime has no CUDA provider; start it"
                            + " with onnxruntime_gpu on its class path");
        }
    }
}
