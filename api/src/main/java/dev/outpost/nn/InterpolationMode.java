package dev.outpost.nn;

/** The method to compute elements between the input's elements in {@link Functional#interpolate}. */
public enum InterpolationMode {
    /** The element whose cell begins before the position. */
    NEAREST,
    /** The element whose centre is nearest. */
    NEAREST_EXACT,
    /** Two neighbours along each dimension; for lines, images and volumes. */
    LINEAR,
    /** Four neighbours along each dimension, by cubic convolution; for images. */
    BICUBIC,
    /** The mean of the elements that a position covers. */
    AREA
}
