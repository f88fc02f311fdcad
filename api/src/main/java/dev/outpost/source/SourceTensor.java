package dev.outpost.source;

import dev.outpost.Tensor;
import dev.outpost.protocol.source.SourceIndex;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A tensor of a {@link Source}, or a part of one, before it is loaded. Immutable: methods that narrow or cast return a new object.
 *
 * <pre>{@code
 * Tensor rows = source.tensor("lm_head.weight").narrow(0, 0, 1024).to(DType.BFLOAT16).load();
 * }</pre>
 */
public final class SourceTensor {
    private final Source source;
    private final String file;
    private final String name;
    private final DType stored;
    private final TensorType type;
    private final List<Long> starts;

    private SourceTensor(Source source, String file, String name, DType stored, TensorType type, List<Long> starts) {
        this.source = source;
        this.file = file;
        this.name = name;
        this.stored = stored;
        this.type = type;
        this.starts = starts;
    }

    static SourceTensor whole(Source source, SourceIndex.Tensor tensor) {
        List<Long> starts = Collections.nCopies(tensor.type().shape().rank(), 0L);
        return new SourceTensor(
                source, tensor.file(), tensor.name(), tensor.type().dtype(), tensor.type(), starts);
    }

    public String name() {
        return name;
    }

    public Source source() {
        return source;
    }

    /** Returns the path of the file that contains the tensor. */
    public String file() {
        return file;
    }

    public Shape shape() {
        return type.shape();
    }

    /** Returns the dtype of the loaded tensor. */
    public DType dtype() {
        return type.dtype();
    }

    /** Returns the dtype in the file. */
    public DType storedDType() {
        return stored;
    }

    TensorType type() {
        return type;
    }

    /**
     * Casts the tensor while it is loaded. Throws for a tensor that is not floating, unless the dtype is the stored
     * dtype.
     */
    public SourceTensor to(DType dtype) {
        if (dtype != stored && !(dtype.isFloating() && stored.isFloating())) {
            throw new OpException(
                    "load",
                    name + " is stored as " + stored + ", and only floating dtypes are cast on their way, got "
                            + dtype);
        }
        return new SourceTensor(source, file, name, stored, new TensorType(dtype, type.shape()), starts);
    }

    /** Returns a part along a dimension, like {@link Tensor#narrow}. A load reads only the bytes of this part. */
    public SourceTensor narrow(int dim, long start, long length) {
        int place = type.shape().normalizeDim("narrow", dim);
        long size = type.shape().rank() == 0 ? 0 : type.shape().size(place);
        if (start < 0 || length < 0 || start > size - length) {
            throw new OpException(
                    "narrow",
                    "expected a part of dimension " + dim + " of size " + size + ", got start " + start + " and length "
                            + length);
        }
        long[] sizes = type.shape().toArray();
        sizes[place] = length;
        List<Long> moved = new ArrayList<>(starts);
        moved.set(place, starts.get(place) + start);
        return new SourceTensor(
                source, file, name, stored, new TensorType(type.dtype(), Shape.of(sizes)), List.copyOf(moved));
    }

    /**
     * Loads the elements onto the source's machine. Does not wait: if they cannot be read, later reads of the tensor throw. A machine
     * holds equal parts of the same version only once, even if several sessions load them.
     */
    public Tensor load() {
        return source.load(this, starts);
    }

    @Override
    public String toString() {
        return name + " " + type;
    }
}
