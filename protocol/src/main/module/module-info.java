/** Dtypes, shapes and exceptions, which users import; graphs, their codec and messages, which only modules of Outpost do. */
module dev.outpost.protocol {
    requires com.fasterxml.jackson.core;
    requires com.google.protobuf;
    requires static org.jspecify;

    exports dev.outpost.explain;
    exports dev.outpost.types;
    exports dev.outpost.protocol.bytes to
            dev.outpost,
            dev.outpost.channel,
            dev.outpost.runtime.core,
            dev.outpost.runtime.cuda,
            dev.outpost.runtime.server;
    exports dev.outpost.protocol.files to
            dev.outpost,
            dev.outpost.runtime.core,
            dev.outpost.runtime.sources;
    exports dev.outpost.protocol.ir to
            dev.outpost,
            dev.outpost.runtime.core,
            dev.outpost.runtime.cuda;
    exports dev.outpost.protocol.log to
            dev.outpost,
            dev.outpost.runtime.core;
    // Protobuf calls the accessors of messages by reflection.
    exports dev.outpost.protocol.message to
            com.google.protobuf,
            dev.outpost,
            dev.outpost.channel,
            dev.outpost.cli,
            dev.outpost.runtime.core;
    exports dev.outpost.protocol.op to
            dev.outpost,
            dev.outpost.runtime.core,
            dev.outpost.runtime.cuda;
    exports dev.outpost.protocol.peer to
            dev.outpost.runtime.core;
    exports dev.outpost.protocol.source to
            dev.outpost,
            dev.outpost.runtime.core;
    exports dev.outpost.protocol.tape to
            dev.outpost,
            dev.outpost.runtime.core;
    exports dev.outpost.protocol.trace to
            dev.outpost,
            dev.outpost.runtime.core;
}
