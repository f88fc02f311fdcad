package dev.outpost.cli;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A machine as the command line names it: a provider and a GPU, such as {@code mock:A100}. */
record MachineName(String provider, String gpu) {
    static final String DEFAULT = "mock:A100";

    /** Reads {@code provider:gpu}; without a GPU any will do. */
    static final class Converter implements ITypeConverter<MachineName> {
        @Override
        public MachineName convert(String text) {
            String[] parts = text.split(":", -1);
            if (parts.length > 2 || parts[0].isBlank()) {
                throw new TypeConversionException("expected provider:gpu, such as " + DEFAULT + ", got " + text);
            }
            return new MachineName(parts[0], parts.length == 1 ? "any" : parts[1]);
        }
    }

    RemoteMachine open(MachineOptions options) {
        return RemoteMachine.of(provider, gpu, options);
    }

    @Override
    public String toString() {
        return provider + ":" + gpu;
    }
}
