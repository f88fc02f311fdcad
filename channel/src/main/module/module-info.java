/** Connections to machines: the parts that suppliers use, and the transports, which only modules of Outpost use. */
module dev.outpost.channel {
    requires transitive dev.outpost.protocol;
    requires com.google.common;
    requires com.google.protobuf;
    requires io.grpc;
    requires io.grpc.netty;
    requires io.grpc.protobuf;
    requires io.grpc.stub;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.transport;
    requires java.net.http;
    requires io.netty.transport.classes.epoll;
    requires io.opentelemetry.api;
    requires io.opentelemetry.context;
    // Netty uses it to access memory outside of the heap; Netty's own descriptors do not require it.
    requires jdk.unsupported;
    // Only programs that pair on a local network need it.
    requires static org.bouncycastle.provider;

    exports dev.outpost.channel;
    exports dev.outpost.channel.grant;
    exports dev.outpost.channel.client to
            dev.outpost,
            dev.outpost.backend,
            dev.outpost.cli,
            dev.outpost.provider.lan;
    exports dev.outpost.channel.lan to
            dev.outpost.provider.lan,
            dev.outpost.runtime.server;
    exports dev.outpost.channel.delivery to
            dev.outpost,
            dev.outpost.runtime.core;
    exports dev.outpost.channel.frame to
            dev.outpost,
            dev.outpost.provider.mock,
            dev.outpost.runtime.core,
            dev.outpost.runtime.server;
    exports dev.outpost.channel.guard to
            dev.outpost.backend,
            dev.outpost.serving;
    exports dev.outpost.channel.http to
            dev.outpost.backend,
            dev.outpost.cli,
            dev.outpost.rest,
            dev.outpost.runtime.server,
            dev.outpost.runtime.sources;
    // Protobuf calls the accessors of messages by reflection.
    exports dev.outpost.channel.rpc to
            com.google.protobuf,
            dev.outpost.cli,
            dev.outpost.provider.lan,
            dev.outpost.runtime.server;
}
