/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_FAKE_PARTS_H
#define UNS_TESTS_FAKE_PARTS_H

/* fake_parts - what the files of fake_curl know of each other. */

#include "fake_curl.h"

/* Note that the caller broke a rule. */
void fake_breach(const char *what);

/* The handle; a breach when it was cleaned up. */
struct fake_easy *fake_easy_of(CURL *handle);

/* A request is sent; when its next beat is due; play what is. */
void fake_start(struct fake_easy *easy);
uns_ns fake_due_of(const struct fake_easy *easy);
void fake_work(struct fake_easy *easy);

/* Fails the test when the driver goes round and round. */
void fake_check_spin(void);

CURLcode fake_pause(CURL *handle, int mask);
CURLSH *fake_share_init(void);
CURLSHcode fake_share_setopt(CURLSH *share, CURLSHoption option, ...);
CURLSHcode fake_share_cleanup(CURLSH *share);
CURLM *fake_multi_init(void);
CURLMcode fake_multi_cleanup(CURLM *multi);
CURLMcode fake_multi_setopt(CURLM *multi, CURLMoption option, ...);
CURLMcode fake_multi_add(CURLM *multi, CURL *handle);
CURLMcode fake_multi_remove(CURLM *multi, CURL *handle);
CURLMcode fake_multi_perform(CURLM *multi, int *running);
CURLMcode fake_multi_poll(CURLM *multi, struct curl_waitfd *fds, unsigned count,
                          int ms, int *ret_count);
CURLMcode fake_multi_action(CURLM *multi, curl_socket_t fd, int events,
                            int *running);
CURLMcode fake_multi_timeout(CURLM *multi, long *ms);
CURLMcode fake_multi_fdset(CURLM *multi, fd_set *reads, fd_set *writes,
                           fd_set *errors, int *max_fd);
CURL **fake_multi_get_handles(CURLM *multi);
CURLMcode fake_multi_get_offt(CURLM *multi, CURLMinfo_offt info,
                              curl_off_t *value);
char *fake_maprintf(const char *format, ...);
CURLMcode fake_multi_waitfds(CURLM *multi, struct curl_waitfd *fds,
                             unsigned size, unsigned *count);
CURLMsg *fake_multi_info_read(CURLM *multi, int *left);

#endif
