// The declarations of Apple's UIKit that the iOS example uses: see Foundation.h beside it.

#pragma once

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

extern NSNotificationName const UIApplicationDidReceiveMemoryWarningNotification;

NS_ASSUME_NONNULL_END
