package dev.outpost.cli;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.UnknownGpuException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The name of a machine on the command line: a provider and a GPU, such as {@code mock:A100}, or several that compute
 * as one, such as {@code mock:A100x4}.
 */
record MachineName(String provider, String gpu, int count) {
    static final String DEFAULT = "mock:A100";

    private static final Pattern SEVERAL = Pattern.compile("(.+)x([1-9][0-9]{0,2})");

    /** Reads {@code provider:gpu} or {@code provider:gpuxcount}; a provider without a GPU means any GPU. */
    static final class Converter implements ITypeConverter<MachineName> {
        @Override
        public MachineName convert(String text) {
            String[] parts = text.split(":", -1);
            if (parts.length > 2 || parts[0].isBlank()) {
                throw new TypeConversionException("expected provider:gpu, such as " + DEFAULT + ", got " + text);
            }
            return parts.length == 1 ? new MachineName(parts[0], "any", 1) : of(parts[0], parts[1]);
        }

        private static MachineName of(String provider, String gpu) {
            Matcher several = SEVERAL.matcher(gpu);
            return several.matches() && !isGpu(gpu)
                    ? new MachineName(provider, several.group(1), Integer.parseInt(several.group(2)))
                    : new MachineName(provider, gpu, 1);
        }

        /** True if the whole text is the name of a GPU, which may end like a count. */
        private static boolean isGpu(String name) {
            try {
                GpuCatalogue.configured().find(name);
                return true;
            } catch (UnknownGpuException ignored) {
                return false;
            }
        }
    }

    RemoteMachine open(MachineOptions options) {
        return RemoteMachine.of(provider, gpu, options.gpuCount(count));
    }

    @Override
    public String toString() {
        return provider + ":" + gpu + (count == 1 ? "" : "x" + count);
    }
}
