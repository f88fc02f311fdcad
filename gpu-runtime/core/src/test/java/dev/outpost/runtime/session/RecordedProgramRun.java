package dev.outpost.runtime.session;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.runtime.memory.HeapTransfer;
import dev.outpost.types.DType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs random programs in separate sessions. */
final class RecordedProgramRun {
    private RecordedProgramRun() {}

    /** The remaining values of the program: the bytes of each, or its fault's message. */
    static Map<Long, byte[]> values(RuntimeHost host, RandomSegments program) throws InterruptedException {
        return values(host, program, 1).getFirst();
    }

    /** Returns {@link #values(RuntimeHost, RandomSegments)} for each of several runs in one session. */
    static List<Map<Long, byte[]>> values(RuntimeHost host, RandomSegments program, int times)
            throws InterruptedException {
        WireClient client = WireClient.connected(host);
        List<Map<Long, byte[]>> all = new ArrayList<>();
        long[] ids = program.values().stream().mapToLong(Long::longValue).toArray();
        for (int time = 0; time < times; time++) {
            all.add(values(client, program, (long) time * ids.length));
            client.free(ids);
        }
        client.goodbye();
        client.cut();
        return all;
    }

    private static Map<Long, byte[]> values(WireClient client, RandomSegments program, long fetched)
            throws InterruptedException {
        program.segments().forEach(client::run);
        Map<Long, byte[]> values = new LinkedHashMap<>();
        long fetch = fetched;
        for (long id : program.values()) {
            values.put(id, value(client, program, id, ++fetch));
        }
        return values;
    }

    /** The bytes of a value, or its fault's message. */
    static byte[] value(WireClient client, RandomSegments program, long id, long fetch) throws InterruptedException {
        client.control(new ToRuntime.Fetch(fetch, id));
        return switch (client.take()) {
            case ToClient.Fetched answer -> withOneNan(program.dtype(id), whole(client, answer));
            case ToClient.Reply told ->
                told.reply().getFetchFailed().getFault().getMessage().getBytes(StandardCharsets.UTF_8);
            case Message other -> throw new AssertionError("unexpected: " + other);
        };
    }

    /** Large values follow the header in pieces. */
    private static byte[] whole(WireClient client, ToClient.Fetched fetched) throws InterruptedException {
        byte[] bytes =
                Arrays.copyOf(fetched.bytes(), Math.toIntExact(fetched.type().bytes()));
        for (int received = fetched.bytes().length; received < bytes.length; ) {
            ToClient.DownloadChunk chunk = client.take(ToClient.DownloadChunk.class);
            System.arraycopy(
                    chunk.bytes().toByteArray(),
                    0,
                    bytes,
                    received,
                    chunk.bytes().length());
            received += chunk.bytes().length();
        }
        return bytes;
    }

    /** The bits of a NaN depend on the processor, and may differ after the JIT has compiled. */
    private static byte[] withOneNan(DType dtype, byte[] bytes) {
        if (!dtype.isFloating()) {
            return bytes;
        }
        HeapBuffer elements = HeapBuffer.allocate(dtype, bytes.length / dtype.bytes());
        HeapTransfer.write(elements, 0, new Slice(bytes));
        byte[] one = bytes.clone();
        for (int index = 0; index < elements.elements(); index++) {
            if (Double.isNaN(elements.getDouble(index))) {
                Arrays.fill(one, index * dtype.bytes(), (index + 1) * dtype.bytes(), (byte) 0xff);
            }
        }
        return one;
    }
}
