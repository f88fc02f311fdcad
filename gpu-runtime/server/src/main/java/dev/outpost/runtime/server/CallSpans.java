package dev.outpost.runtime.server;

import io.grpc.ForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.quarkus.grpc.GlobalInterceptor;
import jakarta.enterprise.inject.spi.Prioritized;
import jakarta.inject.Singleton;

/**
 * Creates a tracing span for each accepted call, within the client's trace. The span of a lane ends with its
 * connection.
 */
@Singleton
@GlobalInterceptor
final class CallSpans implements ServerInterceptor, Prioritized {
    private static final TextMapGetter<Metadata> GETTER = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(Metadata headers) {
            return headers.keys();
        }

        @Override
        public String get(Metadata headers, String name) {
            return headers == null ? null : headers.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
        }
    };

    private final boolean isWanted = Telemetry.isWanted();
    private final OpenTelemetry telemetry = Telemetry.start();

    /** Runs after the interceptor that checks the token. */
    @Override
    public int getPriority() {
        return -1;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        if (!isWanted) {
            return next.startCall(call, headers);
        }
        Context parent = telemetry.getPropagators().getTextMapPropagator().extract(Context.root(), headers, GETTER);
        Span span = telemetry
                .getTracer("dev.outpost.runtime")
                .spanBuilder(call.getMethodDescriptor().getFullMethodName())
                .setSpanKind(SpanKind.SERVER)
                .setParent(parent)
                .startSpan();
        return new EndingListener<>(next.startCall(new EndingCall<>(call, span), headers), span);
    }

    /** Ends the span when the server ends the call. */
    private static final class EndingCall<Q, A> extends ForwardingServerCall.SimpleForwardingServerCall<Q, A> {
        private final Span span;

        EndingCall(ServerCall<Q, A> call, Span span) {
            super(call);
            this.span = span;
        }

        @Override
        public void close(Status status, Metadata trailers) {
            if (!status.isOk()) {
                span.setStatus(StatusCode.ERROR, status.getCode().name());
            }
            span.end();
            super.close(status, trailers);
        }
    }

    /** Ends the span when the client ends the call, or the connection ends. */
    private static final class EndingListener<Q>
            extends io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener<Q> {
        private final Span span;

        EndingListener(ServerCall.Listener<Q> listener, Span span) {
            super(listener);
            this.span = span;
        }

        @Override
        public void onCancel() {
            span.end();
            super.onCancel();
        }

        @Override
        public void onComplete() {
            span.end();
            super.onComplete();
        }
    }
}
