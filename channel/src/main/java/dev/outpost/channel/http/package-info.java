/** Reading bodies of answers that may stall. */
package dev.outpost.channel.http;
