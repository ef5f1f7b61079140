/* passing.h - a message that carries an open file from one process to another.
 *
 * The window of a client's device and the wire of a rank's both travel so. Inline, since the client's library
 * and the device's program both need it and share no object code. */
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>

/** Room for one descriptor, aligned as the kernel wants it. */
typedef union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr aligned;
} PassingControl;

/** Sends `length` bytes and a duplicate of `file`; the caller keeps its own. False when not all bytes went.
 */
static inline bool passing_send(int socket, const void *bytes, size_t length, int file) {
    struct iovec part = {.iov_base = (void *)(size_t)bytes, .iov_len = length};
    PassingControl control = {{0}};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof file);
    memcpy(CMSG_DATA(header), &file, sizeof file);
    return sendmsg(socket, &message, MSG_NOSIGNAL) == (ssize_t)length;
}

/** Receives `length` bytes at once; `*file` becomes the descriptor that came with them, the caller's to
 * close, or -1. False when fewer bytes came. */
static inline bool passing_receive(int socket, void *bytes, size_t length, int *file) {
    struct iovec part = {.iov_base = bytes, .iov_len = length};
    PassingControl control = {{0}};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t got = 0;
    *file = -1;
    do
        got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_WAITALL);
    while (got < 0 && errno == EINTR);
    struct cmsghdr *header = NULL;
    if (got > 0) header = CMSG_FIRSTHDR(&message);
    if (header != NULL && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
        memcpy(file, CMSG_DATA(header), sizeof *file);
    return got == (ssize_t)length;
}
