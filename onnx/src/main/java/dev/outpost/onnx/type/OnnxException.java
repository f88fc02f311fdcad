package dev.outpost.onnx.type;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;

/** Thrown if a model cannot be read, cut or run as requested, because of a mistake of the caller or in the model. */
public final class OnnxException extends OutpostException {
    private static final long serialVersionUID = 1;

    public OnnxException(String message) {
        super(FaultKind.USER, "onnx: " + message);
    }

    public OnnxException(String message, Throwable cause) {
        super(FaultKind.USER, "onnx: " + message, cause);
    }
}
