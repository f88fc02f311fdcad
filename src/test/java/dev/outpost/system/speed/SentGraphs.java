package dev.outpost.system.speed;

import dev.outpost.channel.FrameChannel;
import dev.outpost.channel.FrameConnector;
import dev.outpost.channel.FrameListener;
import dev.outpost.channel.Lane;
import dev.outpost.channel.frame.Frame;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.ir.Structure;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.tape.Segment;
import dev.outpost.types.TensorType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Stands between a client and a machine, and decodes the passing segments as the machine does. The bench uses it, too. */
public final class SentGraphs implements FrameConnector {
    private final FrameConnector machine;
    private final Map<Long, TensorType> types = new HashMap<>();
    private final Map<Integer, Segment> slots = new HashMap<>();
    private final List<Graph> graphs = new ArrayList<>();

    public SentGraphs(FrameConnector machine) {
        this.machine = machine;
    }

    /** The graphs that were sent so far. */
    public synchronized List<Graph> graphs() {
        return List.copyOf(graphs);
    }

    @Override
    public FrameChannel open(FrameListener listener) throws IOException {
        FrameChannel channel = machine.open(listener);
        return new FrameChannel() {
            @Override
            public void send(Lane lane, byte[] frame) {
                if (lane == Lane.CONTROL && Frame.decode(frame) instanceof Frame.Data data) {
                    Message.decodeEach(data.payload(), ToRuntime.Control.class, SentGraphs.this::see);
                }
                channel.send(lane, frame);
            }

            @Override
            public boolean isReady(Lane lane) {
                return channel.isReady(lane);
            }

            @Override
            public void close(String reason) {
                channel.close();
            }
        };
    }

    private synchronized void see(ToRuntime.Control message) {
        switch (message) {
            case ToRuntime.RunSegment run -> see(Segment.read(run.segment()));
            case ToRuntime.RememberSegment remember -> {
                Segment segment = Segment.read(remember.segment());
                slots.put(remember.slot(), segment);
                see(segment);
            }
            case ToRuntime.RepeatSegment repeat ->
                see(slots.computeIfPresent(repeat.slot(), (_, before) -> before.next(repeat.changes())));
            default -> {}
        }
    }

    private void see(Segment segment) {
        TensorType[] inputs =
                Arrays.stream(segment.inputs()).mapToObj(types::get).toArray(TensorType[]::new);
        Graph graph = segment.graph(inputs);
        graphs.add(graph);
        Structure structure = graph.structure();
        int output = 0;
        for (Instruction instruction : graph.instructions()) {
            for (int position = 0; position < instruction.resultCount(); position++) {
                if (structure.isKept(instruction.result(position) - structure.inputCount())) {
                    types.put(segment.outputs()[output++], instruction.resultType(position));
                }
            }
        }
    }
}
