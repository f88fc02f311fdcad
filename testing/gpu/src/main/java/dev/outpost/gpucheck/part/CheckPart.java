package dev.outpost.gpucheck.part;

import java.time.Duration;
import java.util.Locale;

/**
 * The parts of a thorough check after the self test, each for a question about the engine on a GPU. Their order is that in which the
 * questions should be answered: open ones first, beginning with those about wrong results and lost sessions. Elementwise ops, whose many
 * cases need many runs, and several GPUs, which are rare, come last. The page docs/gpu.md has the same table.
 */
public enum CheckPart {
    FAILURE("Does a failure of the device end all sessions by its reason, and is no new one taken in?", 30, true),
    SESSIONS(
            "Do progress, the limit of a segment's time, fair turns and downloads hold while kernels run late?",
            60,
            true),
    ATTENTION("Are attention, its gradients and attention over pages right, by the kernels of today?", 180, true),
    EXCHANGES("Are exchanges by NCCL right within graphs, and two machines on one GPU as one?", 60, true),
    UPLOADS("Are uploads right that take the memory of earlier ones while graphs run?", 60, true),
    QUANTIZED("Are products with quantized weights right?", 180, true),
    MOVES("Are all moves, indices and random numbers right?", 120, true),
    WINDOWS("Are all convolutions and pooling right?", 120, true),
    FOLDS("Are all folds, scans, sorts and products right?", 180, true),
    PARITY("Does the parity pack give PyTorch's results?", 180, true),
    SERVING("How fast are steps of servers, beside transformers and vLLM?", 180, true),
    ELEMENTWISE("Are all elementwise ops right?", 180, true),
    PROGRAMS("Do random programs have the same bits one by one, fused and as graphs?", 60, false),
    FACTORIZATIONS("Are all factorizations right?", 120, false),
    MEMORY("Is all memory free again when sessions and engines are closed?", 30, false),
    KERNELS("How fast are kernels, graphs, fences and the compiler, without sessions?", 60, false),
    OPS("How fast are ops and training steps through a session, beside PyTorch?", 180, false),
    MODELS("How fast are steps of language models, beside transformers?", 180, false),
    GPUS("Do several GPUs exchange, and train the same bits twice?", 120, true);

    /** The longest time of a part in one run. */
    public static final Duration MOST = Duration.ofMinutes(3);

    private final String question;
    private final Duration estimate;
    private final boolean isOpen;

    CheckPart(String question, int seconds, boolean isOpen) {
        this.question = question;
        this.estimate = Duration.ofSeconds(seconds);
        this.isOpen = isOpen;
    }

    public String question() {
        return question;
    }

    /** The time of a run on an H100; if it is {@link #MOST}, the part may need several runs. */
    public Duration estimate() {
        return estimate;
    }

    /** True if no run on a GPU has answered the question yet. */
    public boolean isOpen() {
        return isOpen;
    }

    /** The name on a command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
