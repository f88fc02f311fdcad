package dev.outpost.torch.fuzz;

/** There is no Python with PyTorch; the message says why. */
public final class NoTorchException extends Exception {
    NoTorchException(String message) {
        super(message);
    }
}
