package dev.outpost.runtime.server;

import dev.outpost.channel.Lane;
import dev.outpost.channel.rpc.PairMessage;
import dev.outpost.channel.rpc.RuntimeCalls;
import dev.outpost.channel.rpc.RuntimeGrpc;
import dev.outpost.channel.rpc.WireFrame;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.quarkus.grpc.GrpcService;
import io.quarkus.grpc.stubs.ServerCalls;
import jakarta.inject.Singleton;

/** The service of the {@code .proto} file: lanes use a custom marshaller, and calls for watching use the generated one. */
@GrpcService
@Singleton
public class RuntimeService implements BindableService {
    private final LanePairing lanePairing;
    private final Watching watching;
    private final GrantManagement grants;
    private final LanPresence lan;

    RuntimeService(LanePairing lanePairing, Watching watching, GrantManagement grants, LanPresence lan) {
        this.lanePairing = lanePairing;
        this.watching = watching;
        this.grants = grants;
        this.lan = lan;
    }

    @Override
    public ServerServiceDefinition bindService() {
        MethodDescriptor<WireFrame, WireFrame> control = RuntimeCalls.of(Lane.CONTROL);
        MethodDescriptor<WireFrame, WireFrame> bulk = RuntimeCalls.of(Lane.BULK);
        ServiceDescriptor descriptor = ServiceDescriptor.newBuilder(RuntimeGrpc.SERVICE_NAME)
                .addMethod(control)
                .addMethod(bulk)
                .addMethod(RuntimeGrpc.getWatchMethod())
                .addMethod(RuntimeGrpc.getManageMethod())
                .addMethod(RuntimeGrpc.getPairMethod())
                .build();
        return ServerServiceDefinition.builder(descriptor)
                .addMethod(control, (call, headers) -> lanePairing.join(Lane.CONTROL, call, headers))
                .addMethod(bulk, (call, headers) -> lanePairing.join(Lane.BULK, call, headers))
                .addMethod(
                        RuntimeGrpc.getWatchMethod(),
                        io.grpc.stub.ServerCalls.asyncServerStreamingCall(
                                (request, observer) -> ServerCalls.oneToMany(request, observer, null, watching::watch)))
                .addMethod(
                        RuntimeGrpc.getManageMethod(),
                        io.grpc.stub.ServerCalls.asyncUnaryCall(
                                (request, observer) -> ServerCalls.oneToOne(request, observer, null, grants::manage)))
                .addMethod(
                        RuntimeGrpc.getPairMethod(),
                        (call, headers) -> io.grpc.stub.ServerCalls.<PairMessage, PairMessage>asyncBidiStreamingCall(
                                        answers -> lan.pair(LaneStream.peer(call), answers))
                                .startCall(call, headers))
                .build();
    }
}
