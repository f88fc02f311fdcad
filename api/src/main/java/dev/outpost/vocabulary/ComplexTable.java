package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.complex.ComplexTensor;
import dev.outpost.complex.Fft;
import dev.outpost.complex.FftNorm;
import dev.outpost.complex.Stft;
import org.jspecify.annotations.Nullable;

/** Complex numbers and Fourier transforms. A complex result is returned as its pairs. */
final class ComplexTable {
    private static final int[] LAST_TWO = {-2, -1};

    private ComplexTable() {}

    static void addTo(OpRegistry registry) {
        registry.one("view_as_real", call -> input(call).viewAsReal());
        registry.one("imag", call -> input(call).imag());
        addTransforms(registry);
        addSeveral(registry);
        addFrames(registry);
    }

    private interface Complex {
        ComplexTensor apply(OpCall call);
    }

    private static void complex(OpRegistry registry, String name, Complex op) {
        registry.one(name, call -> op.apply(call).viewAsReal());
    }

    private static ComplexTensor input(OpCall call) {
        return call.at(0, "input").complex();
    }

    private static FftNorm norm(OpCall call) {
        return call.named("norm").choice(FftNorm.class, FftNorm.BACKWARD);
    }

    private static @Nullable Long size(OpCall call) {
        return call.at(1, "n").isPresent() ? (Long) call.at(1, "n").integer() : null;
    }

    private static int dim(OpCall call) {
        return call.at(2, "dim").dim(-1);
    }

    private static void addTransforms(OpRegistry registry) {
        complex(registry, "fft.fft", call -> Fft.fft(input(call), size(call), dim(call), norm(call)));
        complex(registry, "fft.ifft", call -> Fft.ifft(input(call), size(call), dim(call), norm(call)));
        complex(registry, "fft.rfft", call -> Fft.rfft(floating(call), size(call), dim(call), norm(call)));
        registry.one("fft.irfft", call -> Fft.irfft(input(call), size(call), dim(call), norm(call)));
        registry.one("fft.hfft", call -> Fft.hfft(input(call), size(call), dim(call), norm(call)));
        complex(registry, "fft.ihfft", call -> Fft.ihfft(floating(call), size(call), dim(call), norm(call)));
        registry.one(
                "fft.fftfreq",
                call -> Fft.fftfreq(
                        call.machine(),
                        call.at(0, "n").integer(),
                        call.at(1, "d").real(1)));
        registry.one(
                "fft.rfftfreq",
                call -> Fft.rfftfreq(
                        call.machine(),
                        call.at(0, "n").integer(),
                        call.at(1, "d").real(1)));
    }

    /** Returns the first argument; integers are converted to float32. */
    private static Tensor floating(OpCall call) {
        Tensor input = call.self();
        return input.dtype().isFloating() ? input : input.float32();
    }

    private static long @Nullable [] sizes(OpCall call) {
        return call.at(1, "s").isPresent() ? call.at(1, "s").sizes() : null;
    }

    private static int @Nullable [] dims(OpCall call, int @Nullable [] otherwise) {
        return call.at(2, "dim").isPresent() ? call.at(2, "dim").dims() : otherwise;
    }

    private static void addSeveral(OpRegistry registry) {
        for (String form : new String[] {"2", "n"}) {
            int[] all = form.equals("2") ? LAST_TWO : null;
            complex(
                    registry,
                    "fft.fft" + form,
                    call -> Fft.fftn(input(call), sizes(call), dims(call, all), norm(call)));
            complex(
                    registry,
                    "fft.ifft" + form,
                    call -> Fft.ifftn(input(call), sizes(call), dims(call, all), norm(call)));
            complex(
                    registry,
                    "fft.rfft" + form,
                    call -> Fft.rfftn(floating(call), sizes(call), dims(call, all), norm(call)));
            registry.one("fft.hfft" + form, call -> Fft.hfftn(input(call), sizes(call), dims(call, all), norm(call)));
            complex(
                    registry,
                    "fft.ihfft" + form,
                    call -> Fft.ihfftn(floating(call), sizes(call), dims(call, all), norm(call)));
            registry.one("fft.irfft" + form, call -> Fft.irfftn(input(call), sizes(call), dims(call, all), norm(call)));
        }
    }

    private static void addFrames(OpRegistry registry) {
        complex(registry, "stft", call -> {
            int size = call.at(1, "n_fft").dim();
            String padding = call.named("pad_mode").text("reflect");
            if (!padding.equals("reflect")) {
                throw call.named("pad_mode").unsupported("reflect");
            }
            call.named("return_complex");
            return Stft.stft(
                    call.self(),
                    size,
                    call.named("hop_length").dim(size / 4),
                    window(call),
                    call.named("center").bool(true),
                    call.named("normalized").bool(false),
                    call.named("onesided").bool(true));
        });
        registry.one("istft", call -> {
            int size = call.at(1, "n_fft").dim();
            if (call.named("return_complex").bool(false)) {
                throw call.named("return_complex").unsupported("False");
            }
            BoundArgument length = call.named("length");
            return Stft.istft(
                    input(call),
                    size,
                    call.named("hop_length").dim(size / 4),
                    window(call),
                    call.named("center").bool(true),
                    call.named("normalized").bool(false),
                    call.named("onesided").bool(true),
                    length.isPresent() ? (Long) length.integer() : null);
        });
    }

    /** Returns the window, or ones if the call gives only a length. */
    private static @Nullable Tensor window(OpCall call) {
        Tensor window = call.named("window").tensorOrNull();
        BoundArgument length = call.named("win_length");
        return window == null && length.isPresent() ? call.machine().ones(length.integer()) : window;
    }
}
