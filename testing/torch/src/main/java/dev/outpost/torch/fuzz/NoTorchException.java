package dev.outpost.torch.fuzz;

/** Thrown if there is no Python with PyTorch; the message has the reason. */
public final class NoTorchException extends Exception {
    NoTorchException(String message) {
        super(message);
    }
}
