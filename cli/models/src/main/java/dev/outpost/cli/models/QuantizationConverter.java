package dev.outpost.cli.models;

import dev.outpost.models.architecture.Quantization;
import dev.outpost.types.OutpostException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code int8} and {@code int4}. */
final class QuantizationConverter implements ITypeConverter<Quantization> {
    @Override
    public Quantization convert(String text) {
        try {
            return Quantization.of(text);
        } catch (OutpostException failure) {
            throw new TypeConversionException(failure.getMessage());
        }
    }
}
