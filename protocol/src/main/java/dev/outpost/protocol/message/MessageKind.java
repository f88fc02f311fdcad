package dev.outpost.protocol.message;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.types.MalformedException;
import java.util.List;
import java.util.function.Function;

/** The first byte of a message, from 1. The order is part of the wire format: constants may only be added at the end. */
enum MessageKind {
    RUN_SEGMENT(ToRuntime.RunSegment.class, ToRuntime.RunSegment::read),
    REMEMBER_SEGMENT(ToRuntime.RememberSegment.class, ToRuntime.RememberSegment::read),
    REPEAT_SEGMENT(ToRuntime.RepeatSegment.class, ToRuntime.RepeatSegment::read),
    FETCH(ToRuntime.Fetch.class, ToRuntime.Fetch::read),
    FREE(ToRuntime.Free.class, ToRuntime.Free::read),
    UPLOAD_CHUNK(ToRuntime.UploadChunk.class, ToRuntime.UploadChunk::read),
    DEFINE_PROGRAM(ToRuntime.DefineProgram.class, ToRuntime.DefineProgram::read),
    RUN_PROGRAM(ToRuntime.RunProgram.class, ToRuntime.RunProgram::read),
    DROP_PROGRAM(ToRuntime.DropProgram.class, ToRuntime.DropProgram::read),
    GRANT_EMISSIONS(ToRuntime.GrantEmissions.class, ToRuntime.GrantEmissions::read),
    CANCEL_SCAN(ToRuntime.CancelScan.class, ToRuntime.CancelScan::read),
    REQUEST(ToRuntime.Request.class, ToRuntime.Request::read),
    PROGRESS(ToClient.Progress.class, ToClient.Progress::read),
    FETCHED(ToClient.Fetched.class, ToClient.Fetched::read),
    DOWNLOAD_CHUNK(ToClient.DownloadChunk.class, ToClient.DownloadChunk::read),
    SCANNED(ToClient.Scanned.class, ToClient.Scanned::read),
    REPLY(ToClient.Reply.class, ToClient.Reply::read),
    ASK_SOURCE(ToRuntime.AskSource.class, ToRuntime.AskSource::read),
    SAVE_MODEL(ToRuntime.SaveModel.class, ToRuntime.SaveModel::read),
    ASK_PEERS(ToRuntime.AskPeers.class, ToRuntime.AskPeers::read),
    PASS_SEGMENT(ToRuntime.PassSegment.class, ToRuntime.PassSegment::read),
    TAKE_SEGMENT(ToRuntime.TakeSegment.class, ToRuntime.TakeSegment::read);

    private static final List<MessageKind> ALL = List.of(values());

    private final Class<? extends Message> type;
    private final Function<ByteReader, Message> reader;

    MessageKind(Class<? extends Message> type, Function<ByteReader, Message> reader) {
        this.type = type;
        this.reader = reader;
    }

    static MessageKind ofCode(int code) {
        if (code < 1 || code > ALL.size()) {
            throw new MalformedException("message kind " + code + " is unknown");
        }
        return ALL.get(code - 1);
    }

    Class<? extends Message> type() {
        return type;
    }

    void begin(ByteWriter out) {
        out.u8(ordinal() + 1);
    }

    /** Reads the message after its kind. */
    Message read(ByteReader in) {
        return reader.apply(in);
    }
}
