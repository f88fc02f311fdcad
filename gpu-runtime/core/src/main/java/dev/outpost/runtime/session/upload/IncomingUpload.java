package dev.outpost.runtime.session.upload;

import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.runtime.engine.Completion;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.session.memory.RefCountedStorage;
import dev.outpost.runtime.session.memory.SessionMemory;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;

/** An upload with its memory, or the reason why it has none, and the number of received bytes. Guarded by {@link Uploads}. */
public final class IncomingUpload {
    private final DType dtype;
    private final long totalBytes;
    private RefCountedStorage storage;
    private OutpostException problem;
    private long receivedBytes;

    private IncomingUpload(DType dtype, long totalBytes) {
        this.dtype = dtype;
        this.totalBytes = totalBytes;
    }

    /**
     * Allocates memory for an upload. If that fails, the upload still receives all chunks, because the client sends
     * them anyway.
     */
    public static IncomingUpload begin(ToRuntime.UploadChunk first, SessionMemory memory) {
        if (first.totalBytes() <= 0 || first.totalBytes() % first.dtype().bytes() != 0) {
            throw new MalformedException("an upload of " + first.totalBytes() + " bytes of " + first.dtype());
        }
        IncomingUpload upload = new IncomingUpload(first.dtype(), first.totalBytes());
        try {
            upload.storage = memory.allocateUpload(
                    first.dtype(), first.totalBytes() / first.dtype().bytes());
        } catch (OutpostException failure) {
            upload.problem = failure;
        } catch (OutOfMemoryError outOfMemory) {
            upload.problem = new OutpostException(FaultKind.RESOURCES, "out of memory on the machine", outOfMemory);
        }
        return upload;
    }

    /** Passes a chunk to the engine. The returned completion is done when the engine has copied it. */
    public Completion append(ToRuntime.UploadChunk chunk, Engine engine) {
        int length = chunk.bytes().length();
        requireContinues(chunk, length);
        Completion arrival = problem == null
                ? engine.writeLater(storage.buffer(), receivedBytes / dtype.bytes(), chunk.bytes())
                : Completion.DONE;
        receivedBytes += length;
        return arrival;
    }

    /** Returns true if the engine has been passed all bytes. */
    public boolean isWhole() {
        return receivedBytes == totalBytes;
    }

    /** Hands the memory to the caller, or throws the failure of the upload. */
    public RefCountedStorage finish(TensorType type) {
        if (type.dtype() != dtype || type.bytes() != totalBytes) {
            discard();
            throw new MalformedException("an upload of " + totalBytes + " bytes of " + dtype + " is used as " + type);
        }
        if (problem != null) {
            throw problem;
        }
        return storage;
    }

    public void discard() {
        if (storage != null) {
            storage.release();
        }
    }

    private void requireContinues(ToRuntime.UploadChunk chunk, int length) {
        boolean same = chunk.dtype() == dtype && chunk.totalBytes() == totalBytes && chunk.offset() == receivedBytes;
        boolean whole = length > 0 && length % dtype.bytes() == 0 && length <= totalBytes - receivedBytes;
        if (!same || !whole) {
            throw new MalformedException("upload " + chunk.upload() + ": " + length + " bytes of " + chunk.dtype()
                    + " at " + chunk.offset() + " of " + chunk.totalBytes() + " do not continue " + receivedBytes
                    + " of " + totalBytes + " of " + dtype);
        }
    }
}
