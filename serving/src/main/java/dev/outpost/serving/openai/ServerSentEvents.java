package dev.outpost.serving.openai;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outpost.serving.engine.GenerationStream;
import dev.outpost.serving.http.ApiError;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jboss.logging.Logger;

/** Server-sent events, written at the pace of the client. If the client disconnects, the texts of the answer end. */
final class ServerSentEvents {
    private static final Logger LOG = Logger.getLogger(ServerSentEvents.class);

    private final OutputStream out;
    private final ObjectMapper mapper;

    private ServerSentEvents(OutputStream out, ObjectMapper mapper) {
        this.out = out;
        this.mapper = mapper;
    }

    /** Writes all events of an answer. */
    interface Writer {
        void write(ServerSentEvents events) throws IOException, InterruptedException;
    }

    static Response respond(ObjectMapper mapper, GenerationStream stream, Writer writer) {
        return respond(out -> {
            try (stream) {
                new ServerSentEvents(out, mapper).run(writer);
            }
        });
    }

    /** Streams the events of an answer that is complete already. */
    static Response respond(ObjectMapper mapper, Writer writer) {
        return respond(out -> new ServerSentEvents(out, mapper).run(writer));
    }

    private static Response respond(StreamingOutput body) {
        return Response.ok(body)
                .type("text/event-stream;charset=UTF-8")
                .header("Cache-Control", "no-cache")
                .header("X-Accel-Buffering", "no")
                .build();
    }

    private void run(Writer writer) {
        try {
            writeOrTell(writer);
        } catch (IOException failure) {
            // The log has one line without a stack trace, because a client that disconnects is no error.
            LOG.infof("a client has gone before its answer was whole (%s)", failure.getMessage());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void writeOrTell(Writer writer) throws IOException, InterruptedException {
        try {
            writer.write(this);
        } catch (RuntimeException failure) {
            ApiError error =
                    ApiError.refusal(failure).map(ApiError.Refusal::error).orElseGet(() -> internal(failure));
            send(new ApiError.Body(error));
        }
    }

    private static ApiError internal(RuntimeException failed) {
        LOG.error("a stream failed", failed);
        return ApiError.internal();
    }

    void send(Object event) throws IOException {
        write("data: " + mapper.writeValueAsString(event) + "\n\n");
    }

    void send(String name, Object event) throws IOException {
        write("event: " + name + "\ndata: " + mapper.writeValueAsString(event) + "\n\n");
    }

    void done() throws IOException {
        write("data: [DONE]\n\n");
    }

    private void write(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
