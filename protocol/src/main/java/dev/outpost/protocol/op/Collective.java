package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.Split;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Members of a group exchange elements. Each of them runs an instruction with the same number. A sum is taken in the order of ranks, so
 * that it has the same bits in every run and on every member. This is a primitive because no other op reaches other machines.
 *
 * @param fn (structure) the kind of exchange
 * @param type (structure) dtype and shape of this member's result
 * @param members (structure) the ranks in the group that take part, in the order of the parts
 * @param from (structure) the split of the operand, if it is split
 * @param to (structure) the split of the result, if it is split
 * @param number (data) the number that identifies the exchange among the members; rising in a group
 * @param program (data) a hash of the program that all members run; a different hash is reported as a defect
 * @param format (structure) the form of the elements on the network; {@link WireFormat#EXACT} but for {@link Fn#ALL_REDUCE_ROUNDED}
 */
public record Collective(
        Fn fn,
        TensorType type,
        List<Integer> members,
        Optional<Split> from,
        Optional<Split> to,
        long number,
        long program,
        WireFormat format)
        implements PlacementOp {
    /** The maximum number of members of a group. */
    public static final int MAX_MEMBERS = 1024;

    /** The ops with wire codes 212 to 217, and 232. */
    public enum Fn {
        /** The sum of all operands, on every member. */
        ALL_REDUCE(212, "all_reduce", 1),
        /** The parts of all members in one, on every member. */
        ALL_GATHER(213, "all_gather", 1),
        /** Each member gets a part of the sum of all operands. */
        REDUCE_SCATTER(214, "reduce_scatter", 1),
        /** Values that were split along one dimension are split along another one. */
        ALL_TO_ALL(215, "all_to_all", 1),
        /** The first member sends its operand to the others. The result has no elements. */
        SEND(216, "send", 1),
        /** The counterpart of {@link #SEND}, on the other members. */
        RECEIVE(217, "receive", 0),
        /** The same as {@link #ALL_REDUCE}, with float32 elements that are rounded to fewer bits on the network. */
        ALL_REDUCE_ROUNDED(232, "all_reduce_rounded", 1);

        final OpSignature signature;

        Fn(int code, String label, int arity) {
            signature = new OpSignature(code, label, arity);
        }

        public String label() {
            return signature.label();
        }
    }

    public Collective {
        members = List.copyOf(members);
    }

    /** Makes an exchange of exact elements. */
    public Collective(
            Fn fn,
            TensorType type,
            List<Integer> members,
            Optional<Split> from,
            Optional<Split> to,
            long number,
            long program) {
        this(fn, type, members, from, to, number, program, WireFormat.EXACT);
    }

    /** Makes a sum whose terms and result are rounded on the network. */
    public static Collective rounded(
            TensorType type, List<Integer> members, WireFormat format, long number, long program) {
        return new Collective(
                Fn.ALL_REDUCE_ROUNDED, type, members, Optional.empty(), Optional.empty(), number, program, format);
    }

    /** Returns the same exchange without the number and hash, which differ from run to run. */
    public Collective unnumbered() {
        return new Collective(fn, type, members, from, to, 0, 0, format);
    }

    static Collective read(Fn fn, AttributeReader in) {
        TensorType type = in.type();
        int count = in.structure().count("members", 1);
        if (count == 0 || count > MAX_MEMBERS) {
            throw new MalformedException(fn.label() + ": expected 1 to " + MAX_MEMBERS + " members, got " + count);
        }
        List<Integer> members = new ArrayList<>(count);
        for (int index = 0; index < count; index++) {
            int member = in.structure().smallInt("member");
            if (member >= MAX_MEMBERS || members.contains(member)) {
                throw new MalformedException(fn.label() + ": member " + member + " is too large or named twice");
            }
            members.add(member);
        }
        return new Collective(
                fn,
                type,
                members,
                readSplit(in),
                readSplit(in),
                in.data().varint(),
                in.data().fixed64(),
                fn == Fn.ALL_REDUCE_ROUNDED ? in.choice("wire format", WireFormat.values()) : WireFormat.EXACT);
    }

    private static Optional<Split> readSplit(AttributeReader in) {
        return in.flag() ? Optional.of(SplitFormat.read(in)) : Optional.empty();
    }

    @Override
    public OpSignature signature() {
        return fn.signature;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.type(type);
        out.structure().varint(members.size());
        members.forEach(out.structure()::varint);
        writeSplit(from, out);
        writeSplit(to, out);
        out.data().varint(number);
        out.data().fixed64(program);
        if (fn == Fn.ALL_REDUCE_ROUNDED) {
            out.choice(format);
        }
    }

    private static void writeSplit(Optional<Split> split, AttributeWriter out) {
        out.flag(split.isPresent());
        split.ifPresent(cut -> SplitFormat.write(cut, out));
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        if (operands.length > 0 && operands[0].dtype() != type.dtype()) {
            throw refusal(operands[0]);
        }
        boolean fits = switch (fn) {
            case ALL_REDUCE -> operands[0].equals(type);
            case ALL_REDUCE_ROUNDED -> operands[0].equals(type) && type.dtype() == DType.FLOAT32;
            case ALL_GATHER -> isPart(operands[0].shape(), from, type.shape());
            case REDUCE_SCATTER -> isPart(type.shape(), to, operands[0].shape());
            case ALL_TO_ALL -> isPartOfOneWhole(operands[0].shape());
            case SEND -> type.shape().isEmpty() && type.shape().rank() == 1;
            case RECEIVE -> members.size() > 1;
        };
        if (!fits || isSum() && type.dtype() == DType.BOOL) {
            throw operands.length == 0 ? refusal(type) : refusal(operands[0]);
        }
        return new TensorType[] {type};
    }

    private boolean isSum() {
        return fn == Fn.ALL_REDUCE || fn == Fn.ALL_REDUCE_ROUNDED || fn == Fn.REDUCE_SCATTER;
    }

    private OpException refusal(TensorType operand) {
        return new OpException(
                label(),
                "the operand and the result do not belong together, got " + operand + " and " + type + " of "
                        + members.size() + " members");
    }

    /** Returns true if some member's part of the whole has this shape. */
    private boolean isPart(Shape part, Optional<Split> split, Shape whole) {
        if (split.isEmpty() || !fitsInto(split.get(), whole) || part.rank() != whole.rank()) {
            return false;
        }
        for (int dim = 0; dim < whole.rank(); dim++) {
            if (dim != split.get().dim() && part.size(dim) != whole.size(dim)) {
                return false;
            }
        }
        return hasPart(split.get(), part.size(split.get().dim()));
    }

    private boolean fitsInto(Split split, Shape whole) {
        return split.members() == members.size()
                && split.dim() < whole.rank()
                && split.total() == whole.size(split.dim());
    }

    private static boolean hasPart(Split split, long size) {
        for (int member = 0; member < split.members(); member++) {
            if (split.size(member) == size) {
                return true;
            }
        }
        return false;
    }

    private boolean isPartOfOneWhole(Shape operand) {
        if (from.isEmpty() || to.isEmpty() || from.get().dim() >= operand.rank()) {
            return false;
        }
        Shape whole = Dimension.resize(operand, from.get().dim(), from.get().total());
        return isPart(operand, from, whole) && isPart(type.shape(), to, whole);
    }
}
