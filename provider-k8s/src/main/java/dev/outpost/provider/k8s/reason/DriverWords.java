package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.reason.symptom.Finding;
import dev.outpost.provider.k8s.reason.symptom.StartSymptom;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Recognizes messages of NVIDIA's container hook, the CUDA driver and the runtime about an incompatible driver. */
final class DriverWords {
    private static final Pattern UNSATISFIED =
            Pattern.compile("unsatisfied condition: ((?:cuda|driver|brand).*?)(?:, please|: unknown|\\.?\\s*$|\\R)");
    private static final Pattern TOO_OLD =
            Pattern.compile("CUDA driver version is insufficient for CUDA runtime version"
                    + "|CUDA_ERROR_UNSUPPORTED_PTX_VERSION|PTX was compiled with an unsupported toolchain"
                    + "|CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE|forward compatibility was attempted on non"
                    + " supported HW");
    private static final Pattern BROKEN =
            Pattern.compile("nvidia-container-cli: (?!requirement error)(.+?)(?:: unknown|\\R|$)"
                    + "|(CUDA_ERROR_NO_DEVICE|CUDA_ERROR_SYSTEM_DRIVER_MISMATCH|[Dd]river/library version mismatch)");

    private DriverWords() {}

    /** Returns the finding of a text about the driver on that node; empty if the text is not about the driver. */
    static Optional<Finding> in(String text, String node) {
        return tooOld(text)
                .map(wanted -> StartSymptom.DRIVER_TOO_OLD.found(
                        "the driver of node " + node + " is too old for the image's CUDA: " + wanted))
                .or(() -> broken(text)
                        .map(error -> StartSymptom.DRIVER_BROKEN.found(
                                "the NVIDIA driver of node " + node + " does not work: " + error)));
    }

    private static Optional<String> tooOld(String text) {
        Matcher unsatisfied = UNSATISFIED.matcher(text);
        if (unsatisfied.find()) {
            return Optional.of("it needs " + unsatisfied.group(1));
        }
        Matcher old = TOO_OLD.matcher(text);
        return old.find() ? Optional.of(old.group()) : Optional.empty();
    }

    private static Optional<String> broken(String text) {
        Matcher matcher = BROKEN.matcher(text);
        return matcher.find()
                ? Optional.of(matcher.group(1) == null ? matcher.group(2) : matcher.group(1))
                : Optional.empty();
    }
}
