package dev.outpost.autograd;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Switches recording for autograd on and off, for each thread separately. */
public final class GradMode {
    private static final ThreadLocal<Boolean> DISABLED = new ThreadLocal<>();

    private GradMode() {}

    public static boolean isEnabled() {
        return DISABLED.get() == null;
    }

    /** Runs without recording for autograd (torch.no_grad). */
    public static void noGrad(Runnable body) {
        noGrad(() -> {
            body.run();
            return null;
        });
    }

    /**
     * Computes without recording for autograd (torch.no_grad).
     *
     * {@snippet file="TrainingExamplesTest.java" region="noGrad"}
     */
    public static <T extends @Nullable Object> T noGrad(Supplier<T> body) {
        return with(false, body);
    }

    /** Computes with recording for autograd, also inside {@link #noGrad} (torch.enable_grad). */
    public static <T extends @Nullable Object> T enableGrad(Supplier<T> body) {
        return with(true, body);
    }

    /** Computes with or without recording for autograd (torch.set_grad_enabled). */
    public static <T extends @Nullable Object> T with(boolean enabled, Supplier<T> body) {
        Boolean before = DISABLED.get();
        set(enabled ? null : Boolean.TRUE);
        try {
            return body.get();
        } finally {
            set(before);
        }
    }

    private static void set(@Nullable Boolean disabled) {
        if (disabled == null) {
            DISABLED.remove();
        } else {
            DISABLED.set(disabled);
        }
    }
}
