package dev.outpost.runtime.server;

import dev.outpost.channel.rpc.RuntimeCalls;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.quarkus.grpc.GlobalInterceptor;
import jakarta.inject.Singleton;

/** Lets nobody in without the token: a call is refused by its headers, before a message of it is asked for. */
@Singleton
@GlobalInterceptor
final class TokenGuard implements ServerInterceptor {
    private final Secret secret;
    private final AuthFailureCounter intruders;

    TokenGuard(Secret secret, AuthFailureCounter intruders) {
        this.secret = secret;
        this.intruders = intruders;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        String said = headers.get(RuntimeCalls.AUTHORIZATION);
        if (secret.isBorneBy(said)) {
            return next.startCall(call, headers);
        }
        intruders.count();
        call.close(Status.UNAUTHENTICATED.withDescription(refusal(said)), new Metadata());
        return new ServerCall.Listener<>() {};
    }

    private static String refusal(String said) {
        return said == null
                ? "the machine wants its token, and none was sent"
                : "the token is not this machine's, or not any more";
    }
}
