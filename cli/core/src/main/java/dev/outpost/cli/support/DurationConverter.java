package dev.outpost.cli.support;

import dev.outpost.provider.support.Durations;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads durations of the command line, as {@link Durations} does. */
public final class DurationConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
        try {
            return Durations.parse(text);
        } catch (IllegalArgumentException failure) {
            throw new TypeConversionException(failure.getMessage() + ", got \"" + text + "\"");
        }
    }
}
