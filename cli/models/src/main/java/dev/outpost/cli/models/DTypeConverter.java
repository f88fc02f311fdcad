package dev.outpost.cli.models;

import dev.outpost.types.DType;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the name of a floating dtype. */
final class DTypeConverter implements ITypeConverter<DType> {
    @Override
    public DType convert(String text) {
        try {
            DType dtype = DType.ofLabel(text);
            if (dtype.isFloating()) {
                return dtype;
            }
        } catch (IllegalArgumentException failure) {
            throw new TypeConversionException(failure.getMessage());
        }
        throw new TypeConversionException("weights are cast to a floating dtype, got " + text);
    }
}
